#if SQLite
import CredentialServing
#endif
