# SPDX-License-Identifier: MIT
"""Rules that a text defines: patterns, pickles and worlds keep theirs when another one has the same name."""

import pickle

import moorea
import pytest

TEXT = "@RULE Walker\n@TABLE\nn_states:3\nneighborhood:oneDimensional\nsymmetries:none\nvar a={0,1,2}\n0,1,a,1\n1,a,0,2\n"
OTHER = "@RULE Walker\n@TABLE\nn_states:3\nneighborhood:Moore\nsymmetries:none\n1,0,0,0,0,0,0,0,0,2\n"


def test_rules_of_texts_are_known_by_their_names():
    rule = moorea.Rule.define(TEXT)
    assert (str(rule), rule.states, rule.definition) == ("Walker", 3, TEXT)
    assert moorea.Rule("Walker") == rule
    assert moorea.Rule.define(OTHER) != rule
    assert moorea.Rule("Walker") != rule
    assert moorea.Rule("B3/S23").definition == moorea.Rule("WireWorld").definition == ""
    with pytest.raises(moorea.Error, match="mine, line 3: expected n_states"):
        moorea.Rule.define("@RULE Bad\n@TABLE\nn_states:1\n", "mine")


def test_patterns_and_worlds_keep_their_rule():
    rule = moorea.Rule.define(TEXT)
    pattern = moorea.Pattern([[2, 1, 0]], rule)
    world = moorea.Simulation(rule, [[0, 2, 1, 0, 0, 0]])
    world.step(2)
    other = moorea.Rule.define(OTHER)
    for kept in (pattern, pickle.loads(pickle.dumps(pattern)), moorea.Pattern.parse(pattern.text())):
        assert moorea.Simulation.of(kept).rule == rule
    moorea.Rule.define(OTHER)
    saved = pickle.loads(pickle.dumps(world))
    assert (saved.rule, saved.generation, saved.hash) == (rule, 2, world.hash)
    assert pickle.loads(pickle.dumps((rule, other))) == (rule, other)
