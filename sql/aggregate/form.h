// sql/aggregate/form.h: a value in the form that the query's engine has (sql/plan/engine_text.h).
//
// Forms of one type sort as its values do. Threads: values.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "phoenix/aggregate.pb.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"

namespace vaquita::sql {

enum class FormKind : uint8_t { kNull, kInteger, kReal, kBytes };

// A form whose bytes belong to another object, which says how long they live.
struct FormView {
  FormKind kind = FormKind::kNull;
  int64_t integer = 0;
  double real = 0;
  std::string_view bytes;

  bool is_null() const { return kind == FormKind::kNull; }
};

// Compares two forms of one kind. REQUIRES: neither is null.
std::weak_ordering CompareForms(const FormView& a, const FormView& b);

// Returns the form of a value; null for NaN, which the engine has not. Its bytes are those of `*held`.
FormView FormOfValue(const SqlType& type, const Value& value, std::string* held);

// A form that owns its bytes.
class HeldForm {
 public:
  void Set(const FormView& form) {
    form_ = form;
    bytes_.assign(form.bytes);
  }
  FormView view() const {
    FormView view = form_;
    view.bytes = bytes_;
    return view;
  }

 private:
  FormView form_;
  std::string bytes_;
};

FormView ViewOf(const phoenix::Form& form);
void SetForm(const FormView& form, phoenix::Form* message);

}  // namespace vaquita::sql
