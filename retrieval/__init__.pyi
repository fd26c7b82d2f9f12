# What the bot and the wires may use of the reading.

from .archive.archive import (
    PersistentArchive as PersistentArchive,
    WritableArchive as WritableArchive,
    open_archive as open_archive,
)
from .archive.fields import CAVEAT as CAVEAT, DENIAL as DENIAL, said_by as said_by, speaking as speaking
from .archive.interface import (
    Archive as Archive,
    Arrivals as Arrivals,
    Retirements as Retirements,
    places_with as places_with,
)
from .archive.near_duplicates import origins_of as origins_of
from .archive.opensearch.address import (
    Credentials as Credentials,
    Sharding as Sharding,
    is_opensearch as is_opensearch,
)
from .archive.opensearch.archive import ClusterArchive as ClusterArchive
from .archive.opensearch.filling import expunge as expunge, fill as fill
from .archive.opensearch.index import Index as Index
from .archive.retirement import Retired as Retired
from .archive.subscriptions import Subscriptions as Subscriptions
from .archive.vectors import compared as compared
from .archive.versions import counterpart as counterpart, is_early as is_early
from .cache import program_version as program_version
from .errors import (
    ArchiveError as ArchiveError,
    ArchiveSchemaError as ArchiveSchemaError,
    ArticleError as ArticleError,
    ArticleWarning as ArticleWarning,
    BusyArchiveError as BusyArchiveError,
    DamagedArticleError as DamagedArticleError,
    NoArticlesError as NoArticlesError,
    NoEncoderError as NoEncoderError,
    RetrievalError as RetrievalError,
    StaleIndexError as StaleIndexError,
    UnpublishedError as UnpublishedError,
    UnreachableArchiveError as UnreachableArchiveError,
    UnreadArticleError as UnreadArticleError,
    UnsafeTableError as UnsafeTableError,
)
from .following import FeedResult as FeedResult, Follower as Follower, StoppedError as StoppedError
from .ingest import (
    IngestResult as IngestResult,
    encode as encode,
    ingest_articles as ingest_articles,
    renew_from_files as renew_from_files,
    reparse as reparse,
    reparse_stale as reparse_stale,
    sync_folder as sync_folder,
)
from .intake.articles import Loaded as Loaded, load_articles as load_articles
from .intake.fetching import Fetcher as Fetcher
from .intake.files import DRAFT_KINDS as DRAFT_KINDS, EXPORT_FORMAT as EXPORT_FORMAT, read_draft as read_draft
from .intake.metadata import Rejected as Rejected
from .intake.office import WordFile as WordFile, read_word_file as read_word_file
from .lexicon.reporting_verbs import VERBS as VERBS, Force as Force
from .lexicon.word_classes import (
    classes as classes,
    ordered as ordered,
    plural as plural,
    read_table as read_table,
)
from .limits import (
    BATCH as BATCH,
    DRAFT as DRAFT,
    DRAFT_TEXT as DRAFT_TEXT,
    MESSAGE as MESSAGE,
    QUESTION as QUESTION,
    TABLE as TABLE,
    decode as decode,
    read_bytes as read_bytes,
    read_json as read_json,
    read_toml as read_toml,
    shown as shown,
)
from .logistic import Logistic as Logistic
from .model import (
    KEY as KEY,
    Article as Article,
    Attribution as Attribution,
    Boilerplate as Boilerplate,
    Caveat as Caveat,
    CaveatKind as CaveatKind,
    Entity as Entity,
    Kind as Kind,
    LayoutKind as LayoutKind,
    LayoutSpan as LayoutSpan,
    LeftOut as LeftOut,
    LeftOutKind as LeftOutKind,
    Manner as Manner,
    Mention as Mention,
    Passage as Passage,
    Reading as Reading,
    Span as Span,
    Voice as Voice,
    version_key as version_key,
)
from .models.on_demand import WORDS_ALONE as WORDS_ALONE, MeaningOnDemand as MeaningOnDemand
from .names.aliases import (
    ALIASES_FILE as ALIASES_FILE,
    NO_ALIASES as NO_ALIASES,
    Aliases as Aliases,
    read_aliases as read_aliases,
)
from .names.entity_resolution import adjective as adjective
from .names.gazetteer import (
    is_first_name as is_first_name,
    is_listed_people as is_listed_people,
    is_region as is_region,
    is_word as is_word,
    us_states as us_states,
)
from .names.name_keys import (
    bare_name as bare_name,
    loose as loose,
    may_be_one as may_be_one,
    sound as sound,
    titleless as titleless,
)
from .pipeline import read_all as read_all, read_one as read_one
from .processes import collect_rarely as collect_rarely, freeze_loaded as freeze_loaded, runs as runs
from .search import (
    EVERYTHING as EVERYTHING,
    K1 as K1,
    MODEL as MODEL,
    Hit as Hit,
    Listed as Listed,
    Meaning as Meaning,
    Occurrence as Occurrence,
    Outlet as Outlet,
    Query as Query,
    Scope as Scope,
    VersionSummary as VersionSummary,
    Window as Window,
    idf as idf,
)
from .sqlite_file import (
    Run as Run,
    SqliteFile as SqliteFile,
    error_code as error_code,
    make_private as make_private,
    schema_version as schema_version,
)
from .text.bare_text import bare_text as bare_text
from .text.edit_distance import Stretch as Stretch, align as align
from .text.quotations import quoted_spans as quoted_spans
from .text.terms import (
    STOPWORDS as STOPWORDS,
    Phrase as Phrase,
    fold as fold,
    term as term,
    terms as terms,
    words as words,
)
