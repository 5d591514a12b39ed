#if Redis
import CredentialServing

extension SessionStoreError {
    /// The error of a store for an error reply, which begins with a word for its kind.
    init(redis text: String) {
        let message = "the server says \(text.prefix(200))"
        switch text.prefix(while: { $0 != " " }) {
        case "NOAUTH", "WRONGPASS", "NOPERM": self.init(.notAuthorized, message)
        case "OOM": self.init(.full, message)
        case "READONLY", "LOADING", "MASTERDOWN", "BUSY", "MISCONF", "TRYAGAIN", "UNKILLABLE", "NOREPLICAS":
            self.init(.unavailable, message)
        case "WRONGTYPE": self.init(.damaged, message)
        default: self.init(.unavailable, message)
        }
    }
}
#endif
