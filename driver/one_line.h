// A message that repeats what was typed, or read from stdin.
#pragma once

#include <cstddef>
#include <string>

namespace waltax {

// What was typed, or read from stdin, neither moves a terminal's cursor nor
// begins a line: control characters (ASCII's, and U+0080 to U+009F) become "?".
inline std::string OneLine(const std::string& text) {
  std::string shown;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next =
        static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      shown += '?';
      ++i;
    } else {
      shown += byte < 0x20 || byte == 0x7F ? '?' : text[i];
    }
  }
  return shown;
}

}  // namespace waltax
