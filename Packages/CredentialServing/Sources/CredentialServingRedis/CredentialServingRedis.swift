#if Redis
import CredentialServing
#endif
