#if Server
import CredentialServing
#endif
