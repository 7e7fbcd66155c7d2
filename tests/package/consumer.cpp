// A user's program, built outside the project by both ways of using the library.
#include <mizan/version.hpp>

#include <cstdio>
#include <string>

int main() {
  std::printf("mizan %s\n", std::string(mizan::version).c_str());
  return 0;
}
