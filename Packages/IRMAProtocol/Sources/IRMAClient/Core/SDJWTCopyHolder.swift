import IRMAMessages
import IdemixCore
public import JOSEKit
import JSONKit

/// Keeps the SD-JWT copies of a wallet's credentials with the keys that they are bound to; the app presents them over OpenID4VP.
///
/// An issuer's request names the number of copies of each credential. The wallet sends a key for each, and gets the copies
/// together with the signatures of its credentials.
public protocol SDJWTCopyHolder: Sendable {
    /// Makes keys, and keeps them until their copies come or ``removeKeys(_:)`` is called.
    ///
    /// Copies may come after a restart of the app (``IRMAWallet/resumeIssuances()``).
    ///
    /// - Parameter count: The number of keys.
    /// - Returns: The public keys, no two of them alike; on P-256, which every issuer takes.
    /// - Throws: ``WalletError``, before anything is sent; the session ends.
    func makeKeys(_ count: Int) async throws(WalletError) -> [JWK]

    /// Verifies the copies of an issuance, and keeps them with their keys.
    ///
    /// It is called before the credentials themselves are kept. The same copies come again where that fails.
    ///
    /// - Parameters:
    ///   - copies: The SD-JWTs in compact form.
    ///   - credentials: The credentials that the session issues. A copy has the type of one of them as its own (`vct`), and its
    ///     attributes: the user saw no others.
    /// - Throws: ``WalletError``: with the code ``WalletError/Code/crypto`` for copies that do not verify, say something else than
    ///   the credentials, or are not each for a key of its own. The wallet keeps the credentials without copies then, since the
    ///   server counts them as issued, and notes the reason down (``SessionLogEntry/copyRefusal``). With
    ///   ``WalletError/Code/storageFailed`` the answer can be had again; other errors end the session without a credential.
    func keep(_ copies: [String], of credentials: [LoggedCredential]) async throws(WalletError)

    /// Removes keys whose credentials the wallet does not get, or whose copies the server does not send or the holder refuses,
    /// and copies of them that are kept already.
    ///
    /// - Parameter keys: All keys of one call of ``makeKeys(_:)``.
    func removeKeys(_ keys: [JWK]) async
}

extension WalletCore {
    /// New keys for the copies that a request offers; nil where it offers none, and for a wallet that keeps none.
    func copyKeys(for credentials: [CredentialRequest]) async throws(WalletError) -> [JSONValue]? {
        let count = credentials.reduce(0) { $0 + $1.copyCount }
        guard count > 0, let copyHolder else { return nil }
        return try await copyHolder.makeKeys(count).map { .object($0.members) }
    }

    /// Hands the copies of a server's answer to their holder; where the server sent none, or the holder refuses them, their keys
    /// go.
    ///
    /// - Returns: The reason that the holder refuses them, or that there is no holder any more; nil for none.
    func keepCopies(
        of response: ServerSessionResponse,
        to commitments: [UInt8],
        _ credentials: [IdemixCredential],
        schemes: SchemeSnapshot
    ) async throws(WalletError) -> String? {
        guard let copyHolder else {
            let isLost = response.sdJWTs?.isEmpty == false && !Self.keys(in: commitments).isEmpty
            return isLost ? "the wallet asked for them with a holder of copies, and has none now" : nil
        }
        guard let copies = response.sdJWTs, !copies.isEmpty else {
            await removeCopyKeys(of: commitments)
            return nil
        }
        var issued: [LoggedCredential] = []
        for credential in credentials {
            let held = try WalletError.converting { () throws(IRMAError) in
                try HeldCredential(credential, schemes: schemes)
            }
            issued.append(LoggedCredential(held, schemes))
        }
        do throws(WalletError) {
            try await copyHolder.keep(copies, of: issued)
            return nil
        } catch {
            guard error.code == .crypto else { throw error }
            await removeCopyKeys(of: commitments)
            return error.description
        }
    }

    /// Has the holder remove the keys for the copies of an issuance that has failed.
    ///
    /// - Parameter commitments: The message that was to be sent, or was.
    func removeCopyKeys(of commitments: [UInt8]) async {
        guard let copyHolder else { return }
        let keys = Self.keys(in: commitments)
        if !keys.isEmpty { await copyHolder.removeKeys(keys) }
    }

    /// The keys for copies that a message asks with.
    private static func keys(in commitments: [UInt8]) -> [JWK] {
        let message = try? IssuanceCommitments(decoding: commitments)
        return (message?.keyBindingKeys ?? []).compactMap { try? JWK(json: $0) }
    }
}
