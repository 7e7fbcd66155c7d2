// A user's program, built outside the project by both ways of using the library.
#include <mizan/clock.hpp>
#include <mizan/version.hpp>

#include <cstdio>
#include <string>

int main() {
  const mizan::Clock& clock = mizan::system_clock();
  if (!mizan::parse_rfc3339(mizan::to_rfc3339(clock.wall_now()))) {
    return 1;
  }
  std::printf("mizan %s\n", std::string(mizan::version).c_str());
  return 0;
}
