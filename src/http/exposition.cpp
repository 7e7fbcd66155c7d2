#include "http/exposition.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>

namespace mizan::http {

void append_head(std::string& out, const Metric& metric) {
  fmt::format_to(std::back_inserter(out),
                 "# HELP {0} {1}\n# TYPE {0} {2}\n",
                 metric.name,
                 metric.help,
                 metric.type);
}

void append_metric(std::string& out, const Metric& metric) {
  append_head(out, metric);
  fmt::format_to(std::back_inserter(out), "{} {}\n", metric.name, metric.value);
}

void append_value(std::string& out,
                  std::string_view name,
                  std::string_view labels,
                  std::uint64_t value) {
  fmt::format_to(std::back_inserter(out), "{}{{{}}} {}\n", name, labels, value);
}

void append_histogram(std::string& out, const Histogram& histogram, const Distribution& values) {
  const std::string_view comma = histogram.labels.empty() ? "" : ",";
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < values.counts.size(); ++i) {
    total += values.counts[i];
    const bool is_last = i == values.bounds.size();
    const std::string bound =
        is_last ? "+Inf"
                : fmt::format("{}", static_cast<double>(values.bounds[i]) / histogram.per_unit);
    fmt::format_to(std::back_inserter(out),
                   "{}_bucket{{{}{}le=\"{}\"}} {}\n",
                   histogram.name,
                   histogram.labels,
                   comma,
                   bound,
                   total);
  }
  const std::string labels =
      histogram.labels.empty() ? std::string() : fmt::format("{{{}}}", histogram.labels);
  fmt::format_to(std::back_inserter(out),
                 "{0}_sum{1} {2}\n{0}_count{1} {3}\n",
                 histogram.name,
                 labels,
                 static_cast<double>(values.sum) / histogram.per_unit,
                 total);
}

}  // namespace mizan::http
