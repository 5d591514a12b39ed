public import CryptoCore
import JOSEKit

/// A look-up of the relying parties and requestors that a server does not have itself, such as a table that several processes share.
///
/// ```swift
/// struct Tenants: RelyingPartySource {
///     let table: TenantTable
///
///     func relyingParty(named name: String) async throws -> ServedRelyingParty? {
///         try await table.tenant(named: name).map { ServedRelyingParty(try $0.relyingParty()) }
///     }
/// }
/// services.relyingParties = Tenants(table: table)
/// ```
///
/// A server asks for the parties that it has not been given itself, at each call that needs one. So each of several processes over
/// one store finds a party as soon as the table has it, and a source that is slow keeps what it has found. A party that the source
/// gives no longer is one that was removed (``TransactionServer/removeRelyingParty(named:)``).
///
/// Where a look-up throws, the call fails with ``TransactionError/Code-swift.struct/unavailable`` and changes nothing, so that
/// requestors and wallets may try again.
public protocol RelyingPartySource: Sendable {
    /// The relying party of a name; nil for none.
    ///
    /// Only names of requestors' requests and of stored transactions are looked up, never those of wallets.
    func relyingParty(named name: String) async throws -> ServedRelyingParty?

    /// The relying party whose fixed key for responses, or one of whose ``RelyingParty/retiredResponseKeys``, has an identifier; nil
    /// for none, and by default.
    ///
    /// A response that names its transaction only in its encrypted part leads to it by this key. Anybody can send such a response:
    /// unknown identifiers must be cheap. The server does not ask for those that it makes itself, 16 bytes in base64url.
    func relyingParty(withResponseKeyNamed keyID: String) async throws -> ServedRelyingParty?

    /// The requestor that shows a token over HTTP; nil for none, and by default.
    ///
    /// Anybody can show a token of any content, of ``TransactionRequestor/minimumTokenSize`` bytes at least. Look it up by a digest,
    /// so that the time tells nothing about the tokens that there are.
    func requestor(showing token: SecretBytes) async throws -> TransactionRequestor?
}

extension RelyingPartySource {
    /// Finds no relying party.
    public func relyingParty(withResponseKeyNamed keyID: String) async throws -> ServedRelyingParty? { nil }

    /// Finds no requestor.
    public func requestor(showing token: SecretBytes) async throws -> TransactionRequestor? { nil }
}

extension TransactionServer {
    /// The party of a stored transaction.
    func party(of record: TransactionRecord) async throws(TransactionError) -> any TransactionParty {
        try await party(named: record.wishes.relyingParty)
    }

    /// The party of a name.
    ///
    /// - Throws: ``TransactionError/Code-swift.struct/unknownRelyingParty``,
    ///   ``TransactionError/Code-swift.struct/unavailable`` and ``TransactionError/Code-swift.struct/internalError`` of a source.
    func party(named name: String) async throws(TransactionError) -> any TransactionParty {
        if let own = parties[name] { return own }
        guard let served = try await found({ try await $0.relyingParty(named: name) }) else {
            throw TransactionError(
                .unknownRelyingParty,
                "no relying party has the name \"\(name.prefix(64))\"",
                path: ["relying_party"]
            )
        }
        do throws(TransactionError) {
            try ServerCheck.check([name: served], at: url)
        } catch {
            throw TransactionError(.internalError, "the relying party cannot be served", cause: error)
        }
        return RelyingPartyMessages(served)
    }

    /// The state behind the encryption to a key of a party for several responses; nil for none.
    func state(inside response: JWE, namingKey keyID: String?) async throws(TransactionError) -> String? {
        for party in parties.all {
            if let state = await party.state(inside: response, namingKey: keyID) { return state }
        }
        guard let keyID, !TransactionTokens.isToken(keyID),
            let served = try await found({ try await $0.relyingParty(withResponseKeyNamed: keyID) })
        else { return nil }
        return await RelyingPartyMessages(served).state(inside: response, namingKey: keyID)
    }

    /// The requestor whose token a header shows.
    ///
    /// - Throws: ``TransactionError/Code-swift.struct/unauthorized``, ``TransactionError/Code-swift.struct/unavailable``.
    func requestor(authorization: String?) async throws(TransactionError) -> TransactionRequestor {
        if let token = RequestorRegistry.token(in: authorization) {
            if let own = parties.requestors.requestor(showing: token) { return own }
            let secret = SecretBytes(token)
            if token.count >= TransactionRequestor.minimumTokenSize,
                let requestor = try await found({ try await $0.requestor(showing: secret) })
            {
                return requestor
            }
        }
        throw TransactionError(.unauthorized, "the token is missing or unknown")
    }

    /// The answer of the source; nil without one.
    private func found<Value: Sendable>(
        _ lookUp: (any RelyingPartySource) async throws -> Value?
    ) async throws(TransactionError) -> Value? {
        guard let source = services.relyingParties else { return nil }
        do {
            return try await lookUp(source)
        } catch {
            throw TransactionError(.unavailable, "the relying parties cannot be looked up at present", cause: error)
        }
    }
}
