#pragma once

#include "mizan/ledger.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace mizan::http {

// The text format of Prometheus, version 0.0.4. Names end in their unit, in base units.

/// Without labels it is one value; a family has one for each set of its labels.
struct Metric {
  std::string_view name;
  std::string_view type;  ///< "counter" or "gauge".
  std::string_view help;
  std::uint64_t value = 0;
};

/// The lines that come once before the values of a family.
void append_head(std::string& out, const Metric& metric);

void append_metric(std::string& out, const Metric& metric);

/// One value of a family; `labels` as they stand between the braces.
void append_value(std::string& out,
                  std::string_view name,
                  std::string_view labels,
                  std::uint64_t value);

/// A histogram of a family. `per_unit` of the distribution's values are one of the metric's.
struct Histogram {
  std::string_view name;
  std::string_view labels;  ///< May be empty.
  double per_unit = 1;
};

void append_histogram(std::string& out, const Histogram& histogram, const Distribution& values);

}  // namespace mizan::http
