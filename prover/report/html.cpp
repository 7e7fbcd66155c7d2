#include "prover/report/report.hpp"

namespace mizan::prover {

std::string to_html(const Report& report) {
  return to_json(report);
}

}  // namespace mizan::prover
