#pragma once

#include "store/mariadb/values.hpp"

#include <mysql.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mizan::mariadb {

/// Parameters as the library wants them: rows from `begin` up to `end`. Borrows from them.
class ParameterBindings {
 public:
  ParameterBindings(const Parameters& parameters, std::size_t begin, std::size_t end);

  [[nodiscard]] MYSQL_BIND* of_rows() noexcept { return many_.data(); }

  /// Of the first row, for a statement that is run once.
  [[nodiscard]] MYSQL_BIND* of_one() noexcept { return one_.data(); }

 private:
  struct Column {
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
    std::vector<const char*> texts;
    std::vector<unsigned long> lengths;
    std::vector<char> indicators;
  };

  void bind(const Parameters& parameters, std::size_t index);

  std::size_t begin_;
  std::size_t end_;
  std::vector<Column> columns_;
  std::vector<MYSQL_BIND> many_;
  std::vector<MYSQL_BIND> one_;
};

/// Reads the rows of an executed statement, all of which the library holds already. False where it
/// could not give them.
[[nodiscard]] bool read_rows(MYSQL_STMT* statement, Answer& answer);

/// The kinds of the columns that a statement answers.
[[nodiscard]] std::vector<Kind> kinds_of(const MYSQL_RES* columns);

}  // namespace mizan::mariadb
