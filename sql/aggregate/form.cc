#include "sql/aggregate/form.h"

#include <cmath>

#include "sql/encoding/value_codec.h"

namespace vaquita::sql {

std::weak_ordering CompareForms(const FormView& a, const FormView& b) {
  switch (a.kind) {
    case FormKind::kInteger:
      return a.integer <=> b.integer;
    case FormKind::kReal:
      return a.real < b.real   ? std::weak_ordering::less
             : a.real > b.real ? std::weak_ordering::greater
                               : std::weak_ordering::equivalent;
    default:
      return a.bytes <=> b.bytes;
  }
}

FormView FormOfValue(const SqlType& type, const Value& value, std::string* held) {
  FormView form;
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    form.kind = FormKind::kInteger;
    form.integer = *integer;
  } else if (const auto* real = std::get_if<double>(&value)) {
    if (std::isnan(*real)) return form;
    form.kind = FormKind::kReal;
    form.real = *real;
  } else if (!value.is_null()) {
    form.kind = FormKind::kBytes;
    const auto* text = std::get_if<std::string>(&value);
    *held = text != nullptr ? *text : EncodeValue(type.InQuery(), value);
    form.bytes = *held;
  }
  return form;
}

FormView ViewOf(const phoenix::Form& form) {
  FormView view;
  if (form.has_integer()) {
    view.kind = FormKind::kInteger;
    view.integer = form.integer();
  } else if (form.has_real()) {
    view.kind = FormKind::kReal;
    view.real = form.real();
  } else if (form.has_bytes()) {
    view.kind = FormKind::kBytes;
    view.bytes = form.bytes();
  }
  return view;
}

void SetForm(const FormView& form, phoenix::Form* message) {
  switch (form.kind) {
    case FormKind::kNull:
      message->clear_value();
      break;
    case FormKind::kInteger:
      message->set_integer(form.integer);
      break;
    case FormKind::kReal:
      message->set_real(form.real);
      break;
    case FormKind::kBytes:
      message->set_bytes(form.bytes.data(), form.bytes.size());
      break;
  }
}

}  // namespace vaquita::sql
