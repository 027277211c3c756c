# Rehearsals: what bots have played beforehand, for hosts alone.

import django.db.models.deletion
import matches.models.match
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0015_usual_hour'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Rehearsal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField()),
                ('begins_at', models.DateTimeField()),
                ('rules_version', models.PositiveSmallIntegerField()),
                ('seed', models.CharField(default=matches.models.match.new_seed, max_length=64)),
                ('played_with', models.JSONField()),
                ('report', models.JSONField(null=True)),
                ('key', models.CharField(blank=True, max_length=64)),
                ('host', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rehearsals', to='matches.match')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
    ]
