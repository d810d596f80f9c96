"""What the referee concludes from cards on the table: a purchase, a used card, a question or a notice."""

from __future__ import annotations

import pytest

from companion.game.referee import referee_for
from companion.game.table import Table
from companion.games.krone.card_referee import CardReferee
from engine.record_header import new_record
from tests.kit.laid_table import LaidTable
from tests.referee.seen_cards import LATER, resting_card, seen
from vision.cards.watching import RestingCard
from vision.types import Motion, Reading, SeenDie


@pytest.fixture
def table() -> Table:
    """A table at which Anna has rolled 5 5 5, which buys Farmer, Maid, Laborer, Guard and Fool."""
    table = Table(new_record("krone", ("Anna", "Bert")))
    for line in ("A roll 5 5 5", "A keep 5 5 5"):
        table.enter(line)
    return table


def recorded(table: Table) -> list[str]:
    return [line.event for line in table.lines]


def test_a_card_in_a_tableau_that_can_be_bought_is_bought_by_the_camera(table: Table) -> None:
    news = CardReferee(table).judge(seen(resting_card("A", "farmer")), LATER)
    line = table.lines[-1]
    assert (line.event, line.by) == ("A buy farmer", "camera")
    assert line.confidence is not None
    assert line.confidence > 0.9
    assert (news.questions, news.notices) == ((), ())


def test_one_undo_takes_a_purchase_seen_back(table: Table) -> None:
    before = recorded(table)
    CardReferee(table).judge(seen(resting_card("A", "farmer")), LATER)
    table.undo()
    assert recorded(table) == before


def test_a_purchase_is_seen_while_dice_are_still_active() -> None:
    table = Table(new_record("krone", ("Anna", "Bert")))
    table.enter("A roll 5 5 2")
    CardReferee(table).judge(seen(resting_card("A", "farmer")), LATER)
    assert recorded(table) == ["A roll 5 5 2", "A keep 5 5 2", "A buy farmer"]


def test_cards_on_the_display_are_not_purchases(table: Table) -> None:
    CardReferee(table).judge(seen(resting_card("display", "farmer")), LATER)
    assert recorded(table)[-1] == "A keep 5 5 5"


def test_a_card_on_record_is_not_bought_again(table: Table) -> None:
    table.enter("A buy farmer")
    news = CardReferee(table).judge(seen(resting_card("A", "farmer")), LATER)
    assert recorded(table)[-1] == "A buy farmer"
    assert news.notices == ()


def test_while_a_hand_is_there_nothing_is_bought(table: Table) -> None:
    CardReferee(table).judge(seen(resting_card("A", "farmer"), unread=frozenset({"A"})), LATER)
    assert recorded(table)[-1] == "A keep 5 5 5"


def test_a_card_put_down_for_a_moment_is_not_bought(table: Table) -> None:
    CardReferee(table).judge(seen(resting_card("A", "farmer", since=LATER - 0.3)), LATER)
    assert recorded(table)[-1] == "A keep 5 5 5"


def test_a_card_that_one_misread_die_explains_is_reported_soon_with_the_likeliest_corrections() -> None:
    table = Table(new_record("krone", ("Anna", "Bert")))
    table.enter("A roll 5 5 4")
    faces = (0.0, 0.0, 0.0, 0.6, 0.1, 0.3)  # the 4 may be a 6
    die = SeenDie(1, (0.0, 0.0, 9.0, 9.0), faces, kept=False)
    table.see(Reading((die,), True, 1.0, Motion.STABLE, 1, 1.0))
    news = CardReferee(table).judge(seen(resting_card("A", "laborer", since=LATER - 1.3)), LATER)
    number = table.lines[0].number
    assert news.notices[0].fixes == ((number, "A roll 6 5 5"), (number, "A roll 5 5 5"))


def test_no_correction_is_offered_where_more_than_one_die_would_be_wrong(table: Table) -> None:
    news = CardReferee(table).judge(seen(resting_card("A", "general")), LATER)
    assert news.notices[0].fixes == ()


def test_a_correction_made_from_the_notice_lets_the_camera_record_the_purchase() -> None:
    table = Table(new_record("krone", ("Anna", "Bert")))
    table.enter("A roll 5 5 4")
    cards = CardReferee(table)
    notice = cards.judge(seen(resting_card("A", "laborer")), LATER).notices[0]
    table.replace(*notice.fixes[0])
    assert cards.judge(seen(resting_card("A", "laborer")), LATER).notices == ()
    assert recorded(table)[-1] == "A buy laborer"


def test_a_card_that_the_roll_does_not_buy_is_reported_and_not_recorded(table: Table) -> None:
    news = CardReferee(table).judge(seen(resting_card("A", "general")), LATER)
    assert recorded(table)[-1] == "A keep 5 5 5"
    assert [notice.sentence.values["card"] for notice in news.notices] == ["general"]
    assert "costs" in str(news.notices[0].sentence)


def test_a_card_that_the_roll_does_not_buy_is_reported_at_once_with_its_place(table: Table) -> None:
    referee, bad = CardReferee(table), resting_card("A", "general")
    assert referee.judge(seen(bad), bad.since + 1.0).notices == ()
    notices = referee.judge(seen(bad), bad.since + 1.5).notices
    assert [one.place for one in notices] == [bad.card.quad]


def test_while_dice_still_roll_a_card_too_dear_is_not_reported_yet(table: Table) -> None:
    table.see(Reading((), False, 1, Motion.MOVING, 1, 1.0))
    referee, bad = CardReferee(table), resting_card("A", "general")
    assert referee.judge(seen(bad), bad.since + 3.0).notices == ()
    assert referee.judge(seen(bad), bad.since + 7.0).notices


def test_two_cards_that_could_be_bought_are_a_question(table: Table) -> None:
    news = CardReferee(table).judge(seen(resting_card("A", "farmer"), resting_card("A", "guard")), LATER)
    assert recorded(table)[-1] == "A keep 5 5 5"
    assert set(news.questions[0].events) == {"A buy farmer", "A buy guard"}


def test_a_card_hardly_recognised_is_a_question(table: Table) -> None:
    news = CardReferee(table).judge(seen(resting_card("A", "farmer", odds=1.0)), LATER)
    assert recorded(table)[-1] == "A keep 5 5 5"
    assert news.questions[0].events == ("A buy farmer",)


def test_a_card_gone_from_the_display_at_the_same_time_is_a_second_witness(table: Table) -> None:
    gone = (("display", "farmer", 9.0),)
    CardReferee(table).judge(seen(resting_card("A", "farmer", odds=2.0), gone=gone), LATER)
    assert recorded(table)[-1] == "A buy farmer"


def test_the_queen_comes_with_the_king_and_is_no_purchase_of_her_own(table: Table) -> None:
    news = CardReferee(table).judge(seen(resting_card("A", "king"), resting_card("A", "queen")), LATER)
    assert [notice.sentence.values["card"] for notice in news.notices] == ["king"]


def test_a_late_purchase_goes_to_the_turn_that_is_open_for_it(table: Table) -> None:
    table.enter("B roll 6 6 1")
    CardReferee(table).judge(seen(resting_card("A", "farmer")), LATER)
    assert recorded(table) == ["A roll 5 5 5", "A keep 5 5 5", "A buy farmer", "B roll 6 6 1"]


def test_a_card_taken_back_is_asked_about_and_one_undo_mends_it(table: Table) -> None:
    referee = CardReferee(table)
    referee.judge(seen(resting_card("A", "farmer")), LATER)
    news = referee.judge(seen(gone=(("A", "farmer", LATER + 1),)), LATER + 5)
    assert news.questions[0].undo


def test_the_fool_turned_over_is_the_charlatan_bought(table: Table) -> None:
    table.enter("A buy fool")
    for line in ("B roll 1 2 3", "B keep 1 2 3", "B pass", "B roll 1 2 3", "B keep 1 2 3", "B pass"):
        table.enter(line)
    for line in ("A roll 1 2 4", "A keep 1 2 4"):
        table.enter(line)
    CardReferee(table).judge(seen(resting_card("A", "charlatan")), LATER)
    assert recorded(table)[-1] == "A buy charlatan"


@pytest.fixture
def with_laborer(table: Table) -> tuple[Table, CardReferee]:
    table.enter("A buy laborer")
    for line in ("B roll 1 2 3", "B keep 1 2 3", "B pass", "B roll 1 2 3", "B keep 1 2 3", "B pass"):
        table.enter(line)
    referee = CardReferee(table)
    referee.judge(seen(resting_card("A", "laborer")), LATER)
    table.enter("A roll 5 5 2")
    return table, referee


def test_a_card_turned_sideways_is_used_where_it_can_be_used_in_one_way(
    with_laborer: tuple[Table, CardReferee],
) -> None:
    table, referee = with_laborer
    referee.judge(seen(resting_card("A", "laborer", turned=LATER + 1)), LATER + 3)
    assert recorded(table)[-1] == "A use laborer"


def test_a_card_that_was_turned_under_another_is_asked_about(with_laborer: tuple[Table, CardReferee]) -> None:
    _, referee = with_laborer
    lost = (("A", "laborer", LATER + 1),)
    assert referee.judge(seen(gone=lost), LATER + 1.5).questions == ()
    asked = referee.judge(seen(gone=lost), LATER + 4).questions
    assert [question.events for question in asked] == [("A use laborer",)]
    assert referee.judge(seen(resting_card("A", "laborer"), gone=lost), LATER + 5).questions == ()


def test_a_card_still_turned_from_an_earlier_turn_is_not_used_again(
    with_laborer: tuple[Table, CardReferee],
) -> None:
    table, referee = with_laborer
    referee.judge(seen(resting_card("A", "laborer", turned=LATER + 1)), LATER + 3)
    table.enter("A keep 5 5 2 1")
    table.enter("A pass")
    table.enter("A roll 5 5 2")  # who is last in a round is first in the next
    count = recorded(table).count("A use laborer")
    referee.judge(seen(resting_card("A", "laborer", turned=LATER + 1)), LATER + 6)
    assert recorded(table).count("A use laborer") == count


def test_a_card_turned_before_a_purchase_is_not_used_in_the_turn_after_it(table: Table) -> None:
    table.enter("A buy laborer")
    for line in ("B roll 1 2 3", "B keep 1 2 3", "B pass", "B roll 1 2 3", "B keep 1 2 3", "B pass"):
        table.enter(line)
    referee = CardReferee(table)
    referee.judge(seen(resting_card("A", "laborer")), LATER)
    for line in ("A roll 5 5 5", "A use laborer", "A keep 5 5 5 1"):
        table.enter(line)
    turned = resting_card("A", "laborer", turned=LATER + 1)
    referee.judge(seen(turned, resting_card("A", "farmer", since=LATER + 2)), LATER + 4)
    assert recorded(table)[-1] == "A buy farmer"
    assert table.state.seat == "A"


def test_dice_taken_up_after_a_purchase_seen_are_not_set_aside_once_more() -> None:
    header = new_record("krone", ("Anna", "Bert"))
    table, laid = Table(header, referee_for(header)), LaidTable(1)
    laid.throw((5, 5, 5))
    table.see(laid.read())
    laid.keep(5, 5, 5)
    table.see(laid.read())
    CardReferee(table).judge(seen(resting_card("A", "farmer")), LATER)
    laid.clear()
    table.see(laid.read())
    laid.throw((1, 2, 3))
    table.see(laid.read())
    assert recorded(table) == ["A roll 5 5 5", "A keep 5 5 5", "A buy farmer", "B roll 3 2 1"]


def test_a_card_that_changes_dice_is_not_used_only_because_it_is_turned(table: Table) -> None:
    referee = CardReferee(table)
    ways = ["A use noblewoman 1 > 2"]
    referee._uses = lambda state, card: ways  # type: ignore[method-assign]
    table.enter("A buy farmer")
    table.enter("B roll 6 5 1")
    card = RestingCard("B", resting_card("B", "noblewoman").card, 10.0, LATER, 6.0, 0.0, LATER + 1)
    ways[:] = ["B use noblewoman 1 > 2"]
    news = referee.judge(seen(card), LATER + 3)
    assert recorded(table)[-1] == "B roll 6 5 1"
    assert ("B use noblewoman 1 > 2",) in [question.events for question in news.questions]


def test_dice_that_are_watched_are_waited_for_before_it_is_asked_how_a_card_was_used() -> None:
    header = new_record("krone", ("Anna", "Bert"))
    table, laid = Table(header, referee_for(header)), LaidTable(1)
    laid.throw((6, 5, 1))
    table.see(laid.read())
    referee = CardReferee(table)
    referee._uses = lambda state, card: ["A use noblewoman 1 > 2"]  # type: ignore[method-assign]
    for seconds, asked in ((LATER + 2, 0), (LATER + 8, 1)):
        assert len(referee.judge(seen(resting_card("A", "noblewoman", turned=LATER)), seconds).questions) == asked
