"""The formula, the working and the value of a polynomial agree, and like terms merge."""

from macros.counting import Polynomial


def test_like_terms_merge_whatever_their_order() -> None:
    total = Polynomial.total([Polynomial.of_shape("H F"), Polynomial.of_shape("F H")])
    assert "2·H·F" == total.formula()


def test_a_formula_has_tables_first_then_layers_then_the_rest() -> None:
    total = Polynomial.total(
        [Polynomial.of_shape("2"), Polynomial.of_shape("H").in_each(("L",)), Polynomial.of_shape("V H")]
    )
    assert "V·H + L·H + 2" == total.formula()
    assert "10·4 + 3·4 + 2" == total.working({"V": 10, "H": 4, "L": 3})
    assert ("0", 0) == (Polynomial().formula(), Polynomial().value({}))


def test_layers_may_be_counted_by_several_letters() -> None:
    """Terms whose layers are counted by the same letters share parentheses; other terms stay separate."""
    letters = ("G", "I")
    terms = [Polynomial.of_shape("H H").in_each(letters), Polynomial.of_shape("H").in_each(letters)]
    total = Polynomial.total([*terms, Polynomial.of_shape("H").in_each(("L",)), Polynomial.of_shape("H")])
    assert "G·I·(H² + H) + L·H + H" == total.formula()
    assert "2·3·(4² + 4) + 5·4 + 4" == total.working({"G": 2, "I": 3, "L": 5, "H": 4})
    assert 2 * 3 * (16 + 4) + 5 * 4 + 4 == total.value({"G": 2, "I": 3, "L": 5, "H": 4})


def test_a_dimension_with_operators_is_one_factor_in_parentheses() -> None:
    """A quotient is rounded down."""
    total = Polynomial.of_shape("H/b b·(b−1)/2").in_each(("L",))
    assert "L·(H/b)·(b·(b − 1)/2)" == total.formula()
    assert 3 * 5 * 28 == total.value({"H": 40, "b": 8, "L": 3}) == total.value({"H": 47, "b": 8, "L": 3})
