"""The Celery tasks. They take no arguments and only call services; they may run late or twice."""

from celery import shared_task

from genius_site import cleanup
from matches.demo import upkeep
from matches.infra import metrics
from matches.models import clock
from matches.services import absences, blood, bots, deadlines, rehearsals, results


@shared_task
def sweep() -> None:
    """Open matches; pass deadlines that are due, or for which all have sent theirs; begin and end absences."""
    with metrics.SWEEPS.time():
        deadlines.sweep()
    deadlines.sweep_all_sent()
    absences.tend()


@shared_task
def move_bots() -> None:
    """Let bots play."""
    bots.move_all()


@shared_task
def play_rehearsals() -> None:
    """Play a rehearsal that a host has asked for."""
    rehearsals.play_next()


@shared_task
def grow_blood_garnets() -> None:
    """Post the daily growth of blood garnets where it is due."""
    blood.grow_all()


@shared_task
def store_results() -> None:
    """Store the results of matches that have just been finished."""
    results.store_new()


@shared_task
def tend_demo() -> None:
    """Keep the demo's season going, if there is one."""
    upkeep.tend()


@shared_task
def clear() -> None:
    """Delete what is never needed again."""
    cleanup.clear(clock.now())
