#if Server
import CommandSupport
import CredentialServingOperations

extension OperationsError: ErrorOfManyFaults {}
#endif
