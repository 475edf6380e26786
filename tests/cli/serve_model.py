# SPDX-License-Identifier: MIT
"""Model of the world of moorea serve: a torus, all edits, and their undo and redo, without a memory limit."""


class Model:
    """Cells are the bits of a number, row by row. `edits` has by generation what became of the world: (rule, cells)."""

    rules = {"B3/S23": ({3}, {2, 3}), "B36/S23": ({3, 6}, {2, 3}), "B2/S": ({2}, set())}

    def __init__(self, size):
        self.size = size
        self.all = (1 << size * size) - 1
        self.left = sum(1 << row * size for row in range(size))
        self.now, self.edits, self.changes, self.undone, self.known = 0, {0: ("B3/S23", 0)}, [], [], {}

    def moved(self, cells, right, down):
        """Cells by -1, 0 or 1 columns and rows, around the torus."""
        size, last = self.size, self.left << self.size - 1
        if right > 0:
            cells = cells << 1 & self.all & ~self.left | cells >> size - 1 & self.left
        elif right < 0:
            cells = cells >> 1 & ~last | (cells & self.left) << size - 1
        ways = down % size * size
        return (cells << ways | cells >> size * size - ways) & self.all

    def next(self, rule, cells):
        counts = [0] * 4  # the neighbours' number, bit by bit
        for right, down in ((i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j):
            carry = self.moved(cells, right, down)
            for bit in range(4):
                counts[bit], carry = counts[bit] ^ carry, counts[bit] & carry
        births, survivals = self.rules[rule]
        result = 0
        for number in births | survivals:
            which = (self.all & ~cells if number in births else 0) | (cells if number in survivals else 0)
            for bit in range(4):
                which &= counts[bit] if number >> bit & 1 else ~counts[bit]
            result |= which
        return result

    def at(self, generation):
        """(rule, cells) then."""
        drawn = max(edit for edit in self.edits if edit <= generation)
        rule, cells = self.edits[drawn]
        for _ in range(generation - drawn):
            if (rule, cells) not in self.known:
                self.known[rule, cells] = self.next(rule, cells)
            cells = self.known[rule, cells]
        return rule, cells

    def remember(self):
        self.changes.append((self.now, self.edits))
        self.undone = []

    def change(self, rule, cells):
        self.remember()
        self.edits = {edit: what for edit, what in self.edits.items() if edit < self.now} | {self.now: (rule, cells)}

    def reset(self):
        self.remember()
        self.now, self.edits = 0, {0: self.edits[0]}

    def undo(self):
        self.undone.append((self.now, self.edits))
        self.now, self.edits = self.changes.pop()

    def redo(self):
        self.changes.append((self.now, self.edits))
        self.now, self.edits = self.undone.pop()
