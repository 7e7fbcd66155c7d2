#include "http/trace_context.hpp"

#include <gtest/gtest.h>

namespace mizan::http {
namespace {

constexpr std::string_view trace = "4bf92f3577b34da6a3ce929d0e0e4736";

TEST(TraceContext, the_trace_id_stands_between_version_and_parent) {
  EXPECT_EQ(trace_id_of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"), trace);
  EXPECT_EQ(trace_id_of("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"), trace);
  EXPECT_EQ(trace_id_of("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-will-be"),
            trace);
}

// W3C Trace Context, 3.2.2: what is to be ignored.
TEST(TraceContext, a_header_that_is_not_valid_has_none) {
  for (const std::string_view invalid :
       {"",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
        "0x-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01"}) {
    EXPECT_EQ(trace_id_of(invalid), "") << invalid;
  }
}

}  // namespace
}  // namespace mizan::http
