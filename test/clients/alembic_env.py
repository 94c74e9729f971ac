"""env.py of the session of Alembic, as the documents of GeoAlchemy2 write it."""
import os

import sqlalchemy
from alembic import context
from geoalchemy2 import alembic_helpers

from geoalchemy_models import Base

engine = sqlalchemy.create_engine(
    "postgresql+psycopg2://postgres@/%s?host=%s" % (os.environ["PGDATABASE"], os.environ["PGHOST"]))


def include(obj, name, kind, reflected, compare_to):
    """Leaves out tables that are not of the models."""
    return kind != "table" or name in Base.metadata.tables


with engine.connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        include_object=include,
        process_revision_directives=alembic_helpers.writer,
        render_item=alembic_helpers.render_item,
    )
    with context.begin_transaction():
        context.run_migrations()
