import CryptoCore
import JSONKit
import OID4VPMessages

/// The client of a request, as its identifier has it, with what the wallet knows of it.
struct KnownClient {
    let identifier: ClientIdentifier
    let registration: RegisteredClient?
}

extension RequestAuthenticator {
    /// Returns `true` if the rule for the client may stand in the request object alone: that of an identifier without a
    /// scheme and without a prefix of draft 22 and later, which the wallet has not registered.
    func isClientDeferred(_ incoming: Incoming) -> Bool {
        guard options.tolerances.contains(.schemeInObject), incoming.channel == .redirects, incoming.scheme == nil,
            incoming.isObject, let id = incoming.clientID, let identifier = try? ClientIdentifier(id)
        else { return false }
        if identifier.rule == .decentralizedIdentifier { return identifier.prefix == "did" }
        return identifier.asRegistered.map { registration(of: $0) == nil } ?? false
    }

    /// The client of an identifier; nil, with a refusal, for one that is malformed or not known.
    func known(_ id: String, _ scheme: String?, _ checklist: inout Checklist) -> KnownClient? {
        let identifier = checklist.check(.clientIdentifier) { () throws(CheckFault) in
            try CheckFault.converting { () throws(OID4VPError) in try self.identifier(id, scheme) }
        }
        guard let identifier else { return nil }
        guard identifier.rule == .preRegistered else {
            checklist.record(
                .clientRegistration,
                .notApplicable("the client is not one that the wallet has registered")
            )
            return KnownClient(identifier: identifier, registration: nil)
        }
        let registration = checklist.check(.clientRegistration) { () throws(CheckFault) in
            guard let registration = self.registration(of: identifier) else {
                // A wallet without registered clients does not support identifiers without a prefix at all.
                throw identifier.hasUnknownPrefix || policy.clients.isEmpty
                    ? .failed("unsupportedClientIdentifier", "the client identifier has no prefix that is supported")
                    : .failed(.unknownClient, "the client is not registered")
            }
            return registration
        }
        return registration.map { KnownClient(identifier: identifier, registration: $0) }
    }

    private func registration(of identifier: ClientIdentifier) -> RegisteredClient? {
        policy.clients.first { $0.id == identifier.text }
    }

    private func identifier(_ id: String, _ scheme: String?) throws(OID4VPError) -> ClientIdentifier {
        let identifier = try ClientIdentifier(id, scheme: scheme)
        guard identifier.rule == .federation else { return identifier }
        // An https URL may be the name of a registered client, where it is no entity of a federation.
        if scheme == nil, let registered = identifier.asRegistered, registration(of: registered) != nil {
            return registered
        }
        guard policy.federation != nil else {
            throw OID4VPError(.unsupportedClientIdentifier, "the wallet trusts no federation", path: ["client_id"])
        }
        return identifier
    }
}

extension AuthorizationParameters {
    /// The scheme of the client identifier, which draft 21 has beside it.
    func scheme(in version: OpenID4VPVersion) -> String? {
        version == .draft21 ? members["client_id_scheme"]?.stringValue ?? "" : nil
    }
}
