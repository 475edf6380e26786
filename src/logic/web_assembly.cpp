// SPDX-License-Identifier: MIT
#include "moorea/web_assembly.h"

#include <array>
#include <string_view>

#include "logic/cell_network.h"
#include "logic/state_logic.h"
#include "logic/two_input.h"
#include "logic/web_code.h"
#include "moorea/error.h"

namespace moorea {
namespace {

constexpr int bytes_a_word = 8;

// Makes the function `advance`, which computes two rows at a time, word by word.
class AdvanceCode {
 public:
  explicit AdvanceCode(const Rule& rule) : rule_(rule), digits_(state_digits(rule)) {}

  WebCode make() {
    code_.count_down(rows_, 2, [&] {
      code_.set(at_, code_.sum(from_, pitch()));
      code_.set(at_, code_.sum(at_, code_.number(bytes_a_word)));
      code_.set(next_, code_.sum(code_.sum(to_, pitch()), code_.number(bytes_a_word)));
      code_.set(left_, words_);
      code_.count_down(left_, 1, [&] {
        make_word();
        code_.set(at_, code_.sum(at_, code_.number(bytes_a_word)));
        code_.set(next_, code_.sum(next_, code_.number(bytes_a_word)));
      });
      code_.set(from_, code_.sum(from_, code_.sum(pitch(), pitch())));
      code_.set(to_, code_.sum(to_, code_.sum(pitch(), pitch())));
    });
    return std::move(code_);
  }

 private:
  using Word = WebCode::Word;

  // The cells of a row around a word: those west of its cells, its own, those east of them.
  struct Row {
    std::vector<Word> digits;
    Word west, centre, east;
    Word ones, twos;  // of the sum of the three
    Word boundary{};  // whether one of the three is in state 6 of a rule with history
  };

  WebCode::Number digit_pitch() {
    return code_.product(code_.sum(words_, code_.number(2)), code_.number(bytes_a_word));
  }
  WebCode::Number pitch() { return code_.product(digit_pitch(), code_.number(digits_)); }

  std::vector<Word> load_cell(WebCode::Number row, int word) {
    std::vector<Word> cell;
    for (int k = 0; k < digits_; ++k)
      cell.push_back(code_.load(code_.sum(row, code_.product(digit_pitch(), code_.number(k))),
                                bytes_a_word * (word + 1)));
    return cell;
  }

  Word west_of(Word left, Word at) {
    return code_.disjunction(code_.shifted_up(at, 1), code_.shifted_down(left, 63));
  }
  Word east_of(Word at, Word right) {
    return code_.disjunction(code_.shifted_down(at, 1), code_.shifted_up(right, 63));
  }

  // Row -1, 0, 1 or 2 from the present one on.
  Row load_row(int y) {
    // Loads have offsets that are not negative, so addresses begin a word earlier
    const WebCode::Number row = code_.sum(at_, code_.product(pitch(), code_.number(y)));
    const WebCode::Number before = code_.sum(row, code_.number(-bytes_a_word));
    std::array<std::vector<Word>, 3> cells;
    for (int i = 0; i < 3; ++i) cells[static_cast<std::size_t>(i)] = load_cell(before, i - 1);
    StateLogic logic(code_, rule_);
    const auto live = [&](const std::vector<Word>& cell) {
      return digits_ == 1 ? cell[0] : logic.live_cells(cell);
    };
    const Word left = live(cells[0]), right = live(cells[2]);
    Row made{cells[1], {}, live(cells[1]), {}, {}, {}, {}};
    made.west = west_of(left, made.centre);
    made.east = east_of(made.centre, right);
    if (counts_) {
      const Word both = code_.exclusive(made.west, made.centre);
      made.ones = code_.exclusive(both, made.east);
      made.twos =
          code_.disjunction(code_.conjunction(made.west, made.centre), code_.conjunction(both, made.east));
    }
    if (rule_.has_history()) {
      const auto at = [&](const std::vector<Word>& cell) { return code_.conjunction(cell[1], cell[2]); };
      const Word centre = at(cells[1]);
      made.boundary = code_.disjunction(code_.disjunction(west_of(at(cells[0]), centre), centre),
                                        east_of(centre, at(cells[2])));
    }
    return made;
  }

  Word operation(const Operation& what, const std::vector<Word>& signals) {
    const Word a = signals[what.a], b = signals[what.b];
    switch (what.what) {
      case Operator::conjunction:
        return code_.conjunction(a, b);
      case Operator::disjunction:
        return code_.disjunction(a, b);
      case Operator::exclusive:
        return code_.exclusive(a, b);
      case Operator::and_not:
        return code_.conjunction(a, code_.complement(b));
      case Operator::complement:
        break;
    }
    return code_.complement(a);
  }

  // Whether cells of two rows are alive next by the rule's births and survivals.
  std::array<Word, 2> counted(const std::array<Row, 4>& rows) {
    std::vector<Word> signals;
    for (const Row& row : rows) signals.insert(signals.end(), {row.ones, row.twos});
    signals.insert(signals.end(), {rows[1].centre, rows[2].centre});
    const Circuit circuit = circuit_for(rule_.two_state());
    for (const Operation& each : circuit.operations) signals.push_back(operation(each, signals));
    return {signals[circuit.outputs[0]], signals[circuit.outputs[1]]};
  }

  Word arranged(const CellNetwork& network, const Row& north, const Row& at, const Row& south) {
    std::vector<Word> signals;
    for (const Row* row : {&north, &at, &south})
      signals.insert(signals.end(), {row->west, row->centre, row->east});
    for (const CellNetwork::Gate& gate : network.gates)
      signals.push_back(three(gate.table, signals[gate.a], signals[gate.b], signals[gate.c]));
    return signals[network.output];
  }

  // A gate of three inputs, of which the first is the highest bit of the index into its table.
  Word three(unsigned table, Word a, Word b, Word c) {
    const auto of_two = [&](unsigned four) {
      const auto of_one = [&](unsigned two) {
        return two == 0 ? code_.zero() : two == 3 ? code_.ones() : two == 2 ? c : code_.complement(c);
      };
      return select(b, of_one(four & 3), of_one(four >> 2), (four & 3) == four >> 2);
    };
    return select(a, of_two(table & 15), of_two(table >> 4), (table & 15) == table >> 4);
  }
  Word select(Word by, Word if_not, Word if_so, bool same) {
    if (same) return if_so;
    return code_.exclusive(if_not, code_.conjunction(by, code_.exclusive(if_not, if_so)));
  }

  void make_word() {
    const std::array<Row, 4> rows = {load_row(-1), load_row(0), load_row(1), load_row(2)};
    std::array<Word, 2> lives{};
    if (counts_) {
      lives = counted(rows);
    } else {
      const CellNetwork network = cell_network_for(rule_.two_state());
      lives = {arranged(network, rows[0], rows[1], rows[2]), arranged(network, rows[1], rows[2], rows[3])};
    }
    const Word kept = code_.mask_of_last(left_, tail_low_, tail_high_);
    for (int y = 0; y < 2; ++y) {
      const auto at = static_cast<std::size_t>(y);
      Word next = lives[at];
      if (rule_.has_history()) {
        const Word beside = code_.disjunction(code_.disjunction(rows[at].boundary, rows[at + 1].boundary),
                                              rows[at + 2].boundary);
        next = code_.conjunction(next, code_.complement(code_.conjunction(rows[at + 1].centre, beside)));
      }
      const std::vector<Word> digits =
          digits_ == 1 ? std::vector<Word>{next} : StateLogic(code_, rule_).next(rows[at + 1].digits, next);
      const WebCode::Number row = code_.sum(next_, code_.product(pitch(), code_.number(y)));
      for (int k = 0; k < digits_; ++k)
        code_.store(code_.sum(row, code_.product(digit_pitch(), code_.number(k))),
                    code_.conjunction(digits[static_cast<std::size_t>(k)], kept));
    }
  }

  const Rule& rule_;
  const int digits_;
  const bool counts_ = rule_.two_state().is_life_like();
  WebCode code_{6, false};
  const WebCode::Number from_ = code_.parameter(0), to_ = code_.parameter(1), words_ = code_.parameter(2),
                        rows_ = code_.parameter(3), tail_low_ = code_.parameter(4),
                        tail_high_ = code_.parameter(5);
  const WebCode::Number at_ = code_.variable(), next_ = code_.variable(), left_ = code_.variable();
};

// Makes the function `count`.
WebCode count_code(int digits) {
  WebCode code(3, true);
  const WebCode::Number at = code.parameter(0), words = code.parameter(1), rows = code.parameter(2);
  const WebCode::Number sum = code.result(), left = code.variable(), word = code.variable();
  const auto digit_pitch = [&] {
    return code.product(code.sum(words, code.number(2)), code.number(bytes_a_word));
  };
  code.count_down(rows, 1, [&] {
    code.set(at, code.sum(at, code.product(digit_pitch(), code.number(digits))));
    code.set(word, code.sum(at, code.number(bytes_a_word)));
    code.set(left, words);
    code.count_down(left, 1, [&] {
      WebCode::Word any = code.load(word, 0);
      for (int k = 1; k < digits; ++k)
        any =
            code.disjunction(any, code.load(code.sum(word, code.product(digit_pitch(), code.number(k))), 0));
      code.set(sum, code.sum(sum, code.population(any)));
      code.set(word, code.sum(word, code.number(bytes_a_word)));
    });
  });
  return code;
}

}  // namespace

std::vector<std::uint8_t> make_web_assembly(const Rule& rule) {
  const bool has_planes = rule.larger_than_life() == nullptr && rule.blocks() == nullptr &&
                          (rule.transitions() == nullptr || rule.is_wires());
  if (!has_planes)
    throw Error(
        "code for browsers is made for rules of two states and nine cells, of Generations, of wires "
        "and with history; " +
            rule.str() + " is of another family",
        ErrorKind::unavailable);
  return web_module({{"advance", AdvanceCode(rule).make()}, {"count", count_code(state_digits(rule))}});
}

}  // namespace moorea
