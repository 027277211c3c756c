"""One host of each match owns it: whoever created it, if the log says so and they still host it, else the first host."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def name_owners(apps, schema_editor):
    """Give each match with hosts its owner."""
    Match, MatchRole = apps.get_model("matches", "Match"), apps.get_model("matches", "MatchRole")
    made = apps.get_model("matches", "Submission").objects.filter(number=1, payload__startswith='{"command":"create",')
    creators = dict(made.values_list("match_id", "user_id"))
    owners = {}
    for match, user in Match.hosts.through.objects.order_by("pk").values_list("match_id", "user_id"):
        if match not in owners or creators.get(match) == user:
            owners[match] = user
    MatchRole.objects.bulk_create(
        [MatchRole(match_id=match, user_id=user, role="owner") for match, user in owners.items()], batch_size=500
    )


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0010_announcements_told_elsewhere'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='MatchRole',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('cohost', 'Co-host'), ('observer', 'Observer')], max_length=8)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roles', to='matches.match')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('match', 'user'), name='match_role_once_a_person'), models.UniqueConstraint(condition=models.Q(('role', 'owner')), fields=('match',), name='match_has_one_owner')],
            },
        ),
        migrations.RunPython(name_owners, migrations.RunPython.noop),
    ]
