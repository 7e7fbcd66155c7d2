#include "store/mariadb/doctor.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

namespace mizan::mariadb {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;

Values healthy() {
  return {{"innodb_flush_log_at_trx_commit", "1"},
          {"sync_binlog", "1"},
          {"log_bin", "ON"},
          {"binlog_format", "MIXED"},
          {"sql_mode", "STRICT_TRANS_TABLES"},
          {"tx_isolation", "REPEATABLE-READ"},
          {"innodb_doublewrite", "ON"},
          {"read_only", "OFF"},
          {"max_connections", "151"},
          {"max_allowed_packet", "16777216"},
          {"wsrep_on", "OFF"}};
}

Finding::Level level_of(const Values& values, std::string_view name) {
  for (const Finding& finding : judge(ServerSettings(values), 24)) {
    if (finding.name == name) return finding.level;
  }
  ADD_FAILURE() << "no finding " << name;
  return Finding::Level::ok;
}

Values with(std::string_view name, std::string_view value) {
  Values values = healthy();
  values.insert_or_assign(std::string(name), std::string(value));
  return values;
}

Values node_with(std::string_view name, std::string_view value) {
  Values values = healthy();
  values["wsrep_on"] = "ON";
  values["wsrep_provider"] = "/usr/lib/galera/libgalera_smm.so";
  values["wsrep_provider_options"] =
      "base_port = 4567; pc.ignore_quorum = false; pc.ignore_sb = false; repl.commit_order = 3";
  values["wsrep_trx_fragment_size"] = "0";
  values["wsrep_osu_method"] = "TOI";
  values["wsrep_auto_increment_control"] = "ON";
  values["auto_increment_increment"] = "3";
  values["wsrep_cluster_status"] = "Primary";
  values["wsrep_local_state_comment"] = "Synced";
  values["wsrep_cluster_size"] = "3";
  values["wsrep_ready"] = "ON";
  values.insert_or_assign(std::string(name), std::string(value));
  return values;
}

TEST(MariadbDoctor, finds_nothing_on_a_durable_server) {
  for (const Finding& finding : judge(ServerSettings(healthy()), 24)) {
    EXPECT_EQ(finding.level, Finding::Level::ok) << finding.name << ": " << finding.detail;
  }
  EXPECT_EQ(describe(ServerSettings(healthy())), "innodb_flush_log_at_trx_commit=1, sync_binlog=1");
}

TEST(MariadbDoctor, calls_what_may_lose_commits_a_problem) {
  constexpr auto problem = Finding::Level::problem;
  for (const char* value : {"0", "2"}) {
    const Values values = with("innodb_flush_log_at_trx_commit", value);
    EXPECT_EQ(level_of(values, "innodb_flush_log_at_trx_commit"), problem) << value;
    EXPECT_NE(describe(ServerSettings(values)).find("not durable"), std::string::npos) << value;
  }
  EXPECT_EQ(level_of(with("sync_binlog", "0"), "sync_binlog"), problem);
  EXPECT_EQ(level_of(with("binlog_format", "STATEMENT"), "binlog_format"), problem);
  EXPECT_EQ(level_of(with("innodb_doublewrite", "OFF"), "innodb_doublewrite"), problem);
  EXPECT_EQ(level_of(with("read_only", "ON"), "role"), problem);
  EXPECT_EQ(level_of(with("max_allowed_packet", "1048576"), "max_allowed_packet"), problem);
}

TEST(MariadbDoctor, does_not_let_a_cluster_stand_for_the_disk) {
  Values values = node_with("innodb_flush_log_at_trx_commit", "0");
  EXPECT_EQ(level_of(values, "innodb_flush_log_at_trx_commit"), Finding::Level::problem);
  EXPECT_NE(describe(ServerSettings(values)).find("not durable"), std::string::npos);
}

TEST(MariadbDoctor, finds_nothing_on_a_node_in_step) {
  for (const Finding& finding : judge(ServerSettings(node_with("log_bin", "OFF")), 24)) {
    EXPECT_EQ(finding.level, Finding::Level::ok) << finding.name << ": " << finding.detail;
  }
}

TEST(MariadbDoctor, calls_what_lets_two_nodes_disagree_a_problem) {
  constexpr auto problem = Finding::Level::problem;
  EXPECT_EQ(level_of(node_with("wsrep_cluster_status", "non-Primary"), "cluster"), problem);
  EXPECT_EQ(level_of(node_with("wsrep_ready", "OFF"), "cluster"), problem);
  EXPECT_EQ(level_of(node_with("wsrep_osu_method", "RSU"), "wsrep_osu_method"), problem);
  for (const char* options : {"pc.ignore_quorum = true; pc.ignore_sb = false",
                              "evs.version = 1; pc.ignore_sb = yes; repl.commit_order = 3"}) {
    EXPECT_EQ(level_of(node_with("wsrep_provider_options", options), "cluster_majority"), problem);
  }
  EXPECT_EQ(level_of(node_with("wsrep_provider_options", "repl.commit_order = 0"),
                     "cluster_commit_order"),
            problem);
}

TEST(MariadbDoctor, warns_of_a_node_that_is_behind_and_of_a_cluster_that_is_too_small) {
  constexpr auto warning = Finding::Level::warning;
  EXPECT_EQ(level_of(node_with("wsrep_local_state_comment", "Donor/Desynced"), "cluster"), warning);
  EXPECT_EQ(level_of(node_with("wsrep_cluster_size", "2"), "cluster_size"), warning);
  EXPECT_EQ(level_of(node_with("wsrep_trx_fragment_size", "1000"), "wsrep_trx_fragment_size"),
            warning);
  Values values = node_with("wsrep_auto_increment_control", "OFF");
  values["auto_increment_increment"] = "1";
  EXPECT_EQ(level_of(values, "auto_increment"), warning);
}

TEST(MariadbDoctor, a_missing_binary_log_needs_no_sync) {
  Values values = with("log_bin", "OFF");
  values["sync_binlog"] = "0";
  EXPECT_EQ(level_of(values, "sync_binlog"), Finding::Level::ok);
  EXPECT_TRUE(ServerSettings(values).is_durable());
}

TEST(MariadbDoctor, warns_of_what_hurts_others_only) {
  EXPECT_EQ(level_of(with("sql_mode", ""), "sql_mode"), Finding::Level::warning);
  EXPECT_EQ(level_of(with("max_connections", "10"), "connections"), Finding::Level::warning);
}

}  // namespace
}  // namespace mizan::mariadb
