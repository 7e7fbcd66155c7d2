#include "store/mariadb/bindings.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>

namespace mizan::mariadb {
namespace {

enum_field_types type_of(Kind kind) {
  switch (kind) {
    case Kind::integer:
      return MYSQL_TYPE_LONGLONG;
    case Kind::real:
      return MYSQL_TYPE_DOUBLE;
    case Kind::text:
      return MYSQL_TYPE_STRING;
    case Kind::bytes:
      return MYSQL_TYPE_BLOB;
  }
  return MYSQL_TYPE_NULL;
}

struct FreeResult {
  void operator()(MYSQL_RES* result) const noexcept { mysql_free_result(result); }
};

/// Where the library puts one column of the row that was fetched.
struct Target {
  std::int64_t integer = 0;
  double real = 0;
  std::vector<char> text;
  unsigned long length = 0;
  my_bool is_null = 0;
  my_bool is_cut = 0;
};

MYSQL_BIND bind_target(Target& target, Kind kind, const MYSQL_FIELD& field) {
  MYSQL_BIND bind{};
  bind.buffer_type = type_of(kind);
  bind.length = &target.length;
  bind.is_null = &target.is_null;
  bind.error = &target.is_cut;
  switch (kind) {
    case Kind::integer:
      bind.buffer = &target.integer;
      bind.buffer_length = sizeof target.integer;
      bind.is_unsigned = (field.flags & UNSIGNED_FLAG) != 0 ? 1 : 0;
      break;
    case Kind::real:
      bind.buffer = &target.real;
      bind.buffer_length = sizeof target.real;
      break;
    case Kind::text:
    case Kind::bytes:
      target.text.resize(std::max(field.max_length, 64UL) + 1);
      bind.buffer = target.text.data();
      bind.buffer_length = target.text.size();
      break;
  }
  return bind;
}

void put(Answer& answer, CellWriter& writer, const Target& target, Kind kind) {
  if (target.is_null != 0) return writer.null();
  switch (kind) {
    case Kind::integer:
      return writer.integer(target.integer);
    case Kind::real:
      return answer.put_real(target.real);
    case Kind::text:
    case Kind::bytes:
      return writer.text({target.text.data(), target.length});
  }
}

}  // namespace

ParameterBindings::ParameterBindings(const Parameters& parameters,
                                     std::size_t begin,
                                     std::size_t end)
    : begin_(begin),
      end_(end),
      columns_(parameters.columns().size()),
      many_(columns_.size()),
      one_(columns_.size()) {
  for (std::size_t i = 0; i < columns_.size(); ++i) bind(parameters, i);
}

void ParameterBindings::bind(const Parameters& parameters, std::size_t index) {
  const Parameters::Column& source = parameters.columns()[index];
  Column& column = columns_[index];
  for (std::size_t i = begin_; i < end_; ++i) {
    const Cell& cell = source.cells[i];
    const char indicator = cell.is_null ? STMT_INDICATOR_NULL : STMT_INDICATOR_NONE;
    column.indicators.push_back(indicator);
    if (source.kind == Kind::integer) column.integers.push_back(cell.integer);
    if (source.kind == Kind::real) column.reals.push_back(cell.real);
    if (source.kind == Kind::text || source.kind == Kind::bytes) {
      const std::string_view text = parameters.text_of(cell);
      column.texts.push_back(text.data());
      column.lengths.push_back(text.size());
    }
  }
  MYSQL_BIND& many = many_[index];
  many.buffer_type = type_of(source.kind);
  many.length = column.lengths.data();
  many.u.indicator = column.indicators.data();
  MYSQL_BIND& one = one_[index];
  one.buffer_type = source.cells[begin_].is_null ? MYSQL_TYPE_NULL : many.buffer_type;
  one.length = column.lengths.data();
  if (source.kind == Kind::integer) {
    many.buffer = one.buffer = column.integers.data();
  } else if (source.kind == Kind::real) {
    many.buffer = one.buffer = column.reals.data();
  } else {
    // The library reads and never writes what a parameter points at.
    many.buffer = static_cast<void*>(const_cast<char**>(column.texts.data()));
    one.buffer = const_cast<char*>(column.texts.front());
    one.buffer_length = column.lengths.front();
  }
}

std::vector<Kind> kinds_of(const MYSQL_RES* columns) {
  std::vector<Kind> kinds;
  if (columns == nullptr) return kinds;
  auto* all = const_cast<MYSQL_RES*>(columns);
  constexpr std::array integers = {
      MYSQL_TYPE_TINY, MYSQL_TYPE_SHORT, MYSQL_TYPE_INT24, MYSQL_TYPE_LONG, MYSQL_TYPE_LONGLONG};
  for (unsigned i = 0; i < mysql_num_fields(all); ++i) {
    const MYSQL_FIELD* field = mysql_fetch_field_direct(all, i);
    const bool is_whole =
        std::find(integers.begin(), integers.end(), field->type) != integers.end();
    const bool is_vast = field->type == MYSQL_TYPE_LONGLONG && (field->flags & UNSIGNED_FLAG) != 0;
    const bool is_real = field->type == MYSQL_TYPE_FLOAT || field->type == MYSQL_TYPE_DOUBLE;
    Kind kind = Kind::text;
    if (is_whole && !is_vast) kind = Kind::integer;
    if (is_real) kind = Kind::real;
    kinds.push_back(kind);
  }
  return kinds;
}

bool read_rows(MYSQL_STMT* statement, Answer& answer) {
  const std::unique_ptr<MYSQL_RES, FreeResult> columns(mysql_stmt_result_metadata(statement));
  if (columns == nullptr) return false;
  std::vector<Target> targets(answer.columns());
  std::vector<MYSQL_BIND> binds;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const MYSQL_FIELD* field = mysql_fetch_field_direct(columns.get(), static_cast<unsigned>(i));
    binds.push_back(bind_target(targets[i], answer.kind(i), *field));
  }
  if (mysql_stmt_bind_result(statement, binds.data()) != 0) return false;
  CellWriter writer = answer.writer();
  for (;;) {
    const int fetched = mysql_stmt_fetch(statement);
    if (fetched == MYSQL_NO_DATA) return true;
    if (fetched != 0) return false;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      put(answer, writer, targets[i], answer.kind(i));
    }
  }
}

}  // namespace mizan::mariadb
