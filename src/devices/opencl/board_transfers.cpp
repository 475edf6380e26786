// SPDX-License-Identifier: MIT
// Cells on their way to and from the buffers of an OpenClBoard, as packed rows.
#include <algorithm>
#include <vector>

#include "boards/packed_rows.h"
#include "devices/opencl/board.h"
#include "devices/opencl/board_kernels.h"
#include "model/bits.h"

namespace moorea::opencl {

// Runs a conversion between rows of cells and packed rows. A wide row has few work-items: then each row is a
// work-group, so that the few rows of a halo occupy all compute units.
void OpenClBoard::convert(const Kernel& conversion, cl_mem cells, std::int64_t digit, const Rows& rows,
                          cl_mem packed) const {
  const std::int64_t items_a_row = is_wide() ? contract_->lanes / 64 : words_per_row_;
  const auto with = [&](const auto&... more) {
    run_in_groups(conversion, rows.rows * items_a_row, is_wide() ? items_a_row : group_items, cells,
                  shape_.first + digit * shape_.digit_pitch(), shape_.pitch, cl_long{world_.width}, packed,
                  cl_long{words_per_row_}, cl_long{rows.y}, cl_long{rows.rows}, cl_int{contract_->lanes},
                  more...);
  };
  if (mesh_) {
    with(mesh_->numbers.get());
  } else {
    with();
  }
}

void OpenClBoard::pack_digit(cl_mem cells, std::int64_t digit, const Rows& rows, const Memory& to) const {
  convert(to_packed_, cells, digit, rows, to.get());
}

// The live cells.
void OpenClBoard::pack(cl_mem cells, const Rows& rows, const Memory& to) const {
  pack_digit(cells, 0, rows, to);
  for (std::int64_t digit = 1; digit < shape_.digits; ++digit) {
    pack_digit(cells, digit, rows, merging_);
    run(paste_, rows.rows * words_per_row_, to.get(), cl_long{words_per_row_}, merging_.get(),
        cl_long{words_per_row_}, cl_long{rows.rows}, cl_long{0}, cl_long{world_.width}, cl_long{0},
        static_cast<cl_int>(PasteMode::bitwise_or));
  }
}

void OpenClBoard::load(const Grid& cells, Position at) {
  for (std::int64_t digit = 0; digit < shape_.digits; ++digit)
    load_digit(digit, digit == 0 ? &cells : nullptr, at);
}

void OpenClBoard::load_states(const Cells& cells, Position at) {
  for (std::int64_t digit = 0; digit < shape_.digits; ++digit)
    load_digit(digit, digit < cells.planes() ? &cells.plane(static_cast<int>(digit)) : nullptr, at);
}

// Replaces a digit of all cells, by 0 if there are no cells.
void OpenClBoard::load_digit(std::int64_t digit, const Grid* cells, Position at) {
  wake_all();
  halo_columns_valid_ = false;
  const std::int64_t words = words_per_row_ / 2;
  std::vector<std::uint64_t> rows(static_cast<std::size_t>(words * rows_at_once_));
  for (std::int64_t top = 0; top < world_.height; top += rows_at_once_) {
    const Rows part = rows_at(top, world_.height);
    if (cells != nullptr) pack_rows(*cells, at.x, at.y, world_.width, top, part.rows, rows.data());
    MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), packed_.get(), CL_TRUE, 0,
              static_cast<std::size_t>(part.rows * words) * 8, rows.data(), 0, nullptr, nullptr);
    unpack(digit, part);
  }
  MOOREA_CL(clFinish, queue_.get());
  count_moved(world_.height, words);
}

void OpenClBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  if (shape_.digits > 1) return write_live(cells, at, mode);
  write_digit(0, cells, at, mode);
}

void OpenClBoard::write_states(const Cells& cells, Position at) {
  const Grid none(cells.width(), cells.height());  // digits that only larger states have
  for (std::int64_t digit = 0; digit < shape_.digits; ++digit) {
    const bool has_digit = digit < cells.planes();
    write_digit(digit, (has_digit ? cells.plane(static_cast<int>(digit)) : none).view(), at,
                PasteMode::replace);
  }
}

// Only the rectangle's words cross to the device. Its rows are packed there, unless all of their cells are
// replaced, and unpacked.
void OpenClBoard::write_digit(std::int64_t digit, const ConstGridView& cells, Position at, PasteMode mode) {
  const Box part = intersect({at.x, at.y, cells.width, cells.height}, world_.box());
  if (part.empty()) return;
  wake_all();
  const std::int64_t first = part.x / 64, words = words_for(part.right()) - first;
  std::vector<std::uint64_t> pasted(static_cast<std::size_t>(words * std::min(rows_at_once_, part.height)));
  const auto transfer = [&](const Rows& rows, const Memory& to) {
    for (std::int64_t i = 0; i < rows.rows * words; ++i) {
      const std::int64_t word = first + i % words;
      const std::uint64_t mask =
          word + 1 < words_for(world_.width) ? ~std::uint64_t{0} : tail_mask(world_.width);
      pasted[static_cast<std::size_t>(i)] =
          mask & cells_at(cells.words + (rows.y + i / words - at.y) * cells.words_per_row,
                          words_for(cells.width), 64 * word - at.x);
    }
    MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), to.get(), CL_TRUE, 0,
              static_cast<std::size_t>(rows.rows * words) * 8, pasted.data(), 0, nullptr, nullptr);
  };
  if (mode == PasteMode::replace && part.width == world_.width) {
    for (Rows rows{part.y, 0}; rows.y < part.bottom(); rows.y += rows.rows) {
      rows = rows_at(rows.y, part.bottom());
      transfer(rows, packed_);
      rows_written(digit, rows);
    }
  } else {
    const Memory device = buffer(pasted.size() * 8);
    for_digit_rows(digit, part.y, part.bottom(), [&](const Rows& rows) {
      transfer(rows, device);
      run(paste_, rows.rows * 2 * words, packed_.get(), cl_long{words_per_row_}, device.get(),
          cl_long{2 * words}, cl_long{rows.rows}, cl_long{part.x}, cl_long{part.right()}, cl_long{2 * first},
          static_cast<cl_int>(mode));
      rows_written(digit, rows);
    });
  }
  MOOREA_CL(clFinish, queue_.get());
  count_moved(part.height, words);
}

// Puts the rows that are packed in packed_ into the present buffer.
void OpenClBoard::unpack(std::int64_t digit, const Rows& rows) {
  convert(from_packed_, current(), digit, rows, packed_.get());
}

// Unpacks rows that were written. The halo columns of others stay valid if the kernel fills them itself.
void OpenClBoard::rows_written(std::int64_t digit, const Rows& rows) {
  unpack(digit, rows);
  if (binding_.fills_halo_columns && halo_columns_valid_) {
    fill_strided_halo_columns(rows);
  } else {
    halo_columns_valid_ = false;
  }
}

// Copies rows that `for_rows_of` packs, which is called as for_rows().
template <class ForRows>
void OpenClBoard::read_packed(const ForRows& for_rows_of, const Box& box, const GridView& to) const {
  clear_rows_outside(world_.box(), box, to);
  const std::int64_t words = words_per_row_ / 2;
  const Box part = intersect(box, world_.box());
  if (part.empty()) return;
  count_moved(part.height, words);
  std::vector<std::uint64_t> packed(static_cast<std::size_t>(words * std::min(rows_at_once_, part.height)));
  for_rows_of(part.y, part.bottom(), [&](const Rows& rows) {
    MOOREA_CL(clEnqueueReadBuffer, queue_.get(), packed_.get(), CL_TRUE, 0,
              static_cast<std::size_t>(rows.rows * words) * 8, packed.data(), 0, nullptr, nullptr);
    unpack_rows(packed.data(), world_.width, rows.y, rows.rows, box, to);
  });
}

void OpenClBoard::read(const Box& box, const GridView& to) const {
  read_packed([&](std::int64_t y, std::int64_t end, const auto& per_rows) { for_rows(y, end, per_rows); },
              box, to);
}

Cells OpenClBoard::states(const Box& box) const {
  Cells cells(box.width, box.height, world_.rule.states());
  for (std::int64_t digit = 0; digit < shape_.digits; ++digit)
    read_packed([&](std::int64_t y, std::int64_t end,
                    const auto& per_rows) { for_digit_rows(digit, y, end, per_rows); },
                box, cells.plane(static_cast<int>(digit)).view());
  return cells;
}

}  // namespace moorea::opencl
