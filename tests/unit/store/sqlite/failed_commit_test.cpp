#include "tests/unit/store/sqlite/failing_sync.hpp"
#include "tests/unit/store/sqlite/sqlite_fixture.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>

namespace mizan::sqlite {
namespace {

using testkit::PlanBuilder;

/// A commit whose sync fails leaves all its frames in the WAL, where only SQLite's own index says
/// that they do not count; a recovery after a crash makes that index anew.
class FailedCommit : public SqliteTest {
 protected:
  FailedCommit() {
    auto store = open();
    create(*store, {"alice", "bob"});
  }

  /// A transfer from alice to bob whose COMMIT meets a disk that fails.
  static std::optional<Error> fail_to_commit(Store& store, std::string_view id) {
    auto transaction = must(store.begin(soon()));
    PlanBuilder builder(load(*transaction, {"alice", "bob"}));
    builder.transfer(id, "alice", "bob", 50);
    Plan plan = builder.build();
    static_cast<void>(must(transaction->write(plan)));
    const FailingSync disk;
    const Status committed = transaction->commit();
    if (committed) return std::nullopt;
    return committed.error();
  }

  /// Is the id free, as a transaction sees it that then has nothing to write?
  static bool is_free(Store& store, std::string_view id) {
    auto transaction = must(store.begin(soon()));
    const OperationId operation(id);
    const OperationId* ids[] = {&operation};
    return must(transaction->claim(ids)).empty();
  }

  /// A store that is never closed, which would end what a crash leaves.
  Store& open_for_ever() { return *open().release(); }

  /// Runs in a process of its own, which then ends as a killed one does. Answers its verdict.
  static int live_and_die(const std::function<int()>& life) {
    const pid_t child = fork();
    if (child == 0) {
      int verdict = 99;
      try {
        verdict = life();
      } catch (const std::exception&) {
        verdict = 98;
      }
      _exit(verdict);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(FailedCommit, does_not_come_back_after_somebody_was_told_that_the_id_is_free) {
  ASSERT_EQ(live_and_die([this] {
              Store& store = open_for_ever();
              transfer(store, "op-0", 1);
              const auto error = fail_to_commit(store, "op-1");
              if (!error || error->certainty != Certainty::unknown) return 1;
              if (is_recorded(store, "op-1")) return 2;
              if (!is_free(store, "op-1")) return 3;
              return 0;
            }),
            0);
  const auto store = open();
  EXPECT_TRUE(is_recorded(*store, "op-0"));
  EXPECT_FALSE(is_recorded(*store, "op-1")) << "it came back from the WAL";
  EXPECT_EQ(balance(*store, "bob"), 1);
}

TEST_F(FailedCommit, nothing_is_decided_while_the_disk_goes_on_failing) {
  ASSERT_EQ(live_and_die([this] {
              Store& store = open_for_ever();
              transfer(store, "op-0", 1);
              auto transaction = must(store.begin(soon()));
              PlanBuilder builder(load(*transaction, {"alice", "bob"}));
              builder.transfer("op-1", "alice", "bob", 50);
              Plan plan = builder.build();
              static_cast<void>(must(transaction->write(plan)));
              {
                const FailingSync disk;
                if (transaction->commit()) return 1;
                transaction.reset();
                const auto next = store.begin(soon());
                if (next) return 2;
                if (next.error().code != Code::unavailable) return 3;
                if (next.error().certainty != Certainty::not_applied) return 4;
              }
              if (!is_free(store, "op-1")) return 5;
              transfer(store, "op-2", 2);
              return 0;
            }),
            0);
  const auto store = open();
  EXPECT_FALSE(is_recorded(*store, "op-1"));
  EXPECT_TRUE(is_recorded(*store, "op-2"));
  EXPECT_EQ(balance(*store, "bob"), 3);
}

}  // namespace
}  // namespace mizan::sqlite
