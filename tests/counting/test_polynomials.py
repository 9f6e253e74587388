"""Formula, working and value come from one object."""

from macros.counting import BERT, Polynomial, model_named


def test_like_terms_merge_whatever_their_order() -> None:
    """H·F and F·H are the same product."""
    total = Polynomial.total([Polynomial.of_shape("H F"), Polynomial.of_shape("F H")])
    assert "2·H·F" == total.formula()


def test_value_agrees_with_the_written_working() -> None:
    """The working, read as arithmetic, gives the value."""
    sizes = model_named("bert-base-uncased").sizes
    for rows in (BERT.rows[:5], BERT.rows[5:15], BERT.rows[:33], BERT.rows):
        total = Polynomial.total(BERT.size(row) for row in rows)
        written = total.working(sizes).replace(",", "").replace("·", "*").replace("²", "**2")
        assert total.value(sizes) == eval(written)  # noqa: S307  our own text, digits and operators only


def test_nothing_is_zero() -> None:
    """The empty sum is written and counts as zero."""
    assert "0" == Polynomial().formula()
    assert 0 == Polynomial().value({})


def test_constants_and_groups() -> None:
    """Tables come first, layers in their bracket, the rest last."""
    total = Polynomial.total(
        [Polynomial.of_shape("2"), Polynomial.of_shape("H").in_each(("L",)), Polynomial.of_shape("V H")]
    )
    assert "V·H + L·H + 2" == total.formula()
    assert "10·4 + 3·4 + 2" == total.working({"V": 10, "H": 4, "L": 3})


def test_layers_may_be_counted_by_several_letters() -> None:
    """Groups of inner layers stand before one bracket, and terms of other layers are never added to them."""
    both = ("G", "I")
    terms = [Polynomial.of_shape("H H").in_each(both), Polynomial.of_shape("H").in_each(both)]
    total = Polynomial.total([*terms, Polynomial.of_shape("H").in_each(("L",)), Polynomial.of_shape("H")])
    assert "G·I·(H² + H) + L·H + H" == total.formula()
    assert "2·3·(4² + 4) + 5·4 + 4" == total.working({"G": 2, "I": 3, "L": 5, "H": 4})
    assert 2 * 3 * (16 + 4) + 5 * 4 + 4 == total.value({"G": 2, "I": 3, "L": 5, "H": 4})
