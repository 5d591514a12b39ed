import CredentialTransport
import CryptoCore
public import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IRMAWallet {
    /// The time in seconds before its expiry from which the login attribute is renewed.
    private static let renewalTime = 30 * 86_400.0

    /// Renews the login attribute of the account at a keyshare server, if it expires within 30 days or has expired.
    ///
    /// The existing app does so each time its user has given the PIN: call it after ``logIn(at:pin:)``. The session shows the
    /// login attribute that the wallet has to the server that the keyshare server names, and nothing else, so that the user need
    /// not be asked.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - pin: Asks the user for the PIN, where no token is left.
    /// - Returns: The finished session, or `nil` if the attribute is not due.
    /// - Throws: ``WalletError/Code/keyshareUnenrolled``; ``WalletError/Code/credentialNotAvailable`` if the wallet has no login
    ///   attribute; ``WalletError/Code/pinRequired``; ``WalletError/Code/keyshare`` for a scheme without a login attribute, and
    ///   for a server that asks for anything else, wants the wallet paired, or issues anything else; and as a session.
    @discardableResult
    public func renewLoginAttribute(
        at scheme: SchemeIdentifier,
        pin: @escaping KeysharePINHandler = { _ in nil }
    ) async throws(WalletError) -> SessionOutcome? {
        let account = try await core.account(of: scheme)
        let schemes = await core.schemes.snapshot
        let connection = try core.keyshare(scheme, schemes)
        guard let attribute = connection.scheme.description.keyshareAttribute else {
            throw WalletError(.keyshare, "the scheme names no login attribute", path: [scheme.text])
        }
        let expiry = await core.vault.credentials(schemes).map(\.held)
            .filter { $0.type == attribute.credentialType }.map(\.expiresAt).max()
        guard let expiry else {
            throw WalletError(.credentialNotAvailable, "there is no login attribute", path: [attribute.text])
        }
        guard expiry.timeIntervalSince(core.clock.now()) < Self.renewalTime else { return nil }
        let pointer = try await connection.renewal(KeyshareAccess(account: account, pin: pin))
        let session = try session(with: pointer)
        guard case .request(let request) = try await session.start(), request.returnURL == nil,
            let choice = request.renewing(attribute, of: account.username, after: expiry)
        else {
            await session.cancel()
            throw WalletError(.keyshare, "the server does more than renew the login attribute", path: [scheme.text])
        }
        do throws(WalletError) {
            return try await session.answer(choice, pin: pin)
        } catch {
            // The caller has no session to send again: what was lost is left to ``resumeIssuances()``.
            await session.cancel()
            throw error
        }
    }
}

extension WalletRequest {
    /// The choice that shows nothing but the attribute that is issued anew, with the same value and a later expiry; nil for
    /// another request.
    fileprivate func renewing(
        _ attribute: AttributeIdentifier,
        of username: String,
        after expiry: Date
    ) -> WalletChoice? {
        guard let name = attribute.attribute, kind == .issuing, credentials.count == 1,
            let offered = credentials.first, offered.type == attribute.credentialType,
            offered.values == [ExactText(name): username], offered.expiresAt > expiry
        else { return nil }
        let own = [LoggedAttribute(attribute, value: username)]
        let candidates = disjunctions.compactMap { disjunction in
            disjunction.usableCandidates.first { attributes(of: $0, in: disjunction) == own }
        }
        return candidates.count == disjunctions.count ? WalletChoice(candidates) : nil
    }
}
