public import CryptoCore
public import DIDKit
import JOSEKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies SD-JWTs and credentials made of them: every check of RFC 9901, chapter 7, and of SD-JWT VC, in order, with its
/// outcome.
///
/// ```swift
/// let verifier = SDJWTVerifier(
///     policy: .credential(algorithms: [.es256], credentialTypes: ["https://credentials.example/id"]),
///     issuerKeys: X509IssuerKeys(anchors: [root])
/// )
/// let expectation = KeyBindingExpectation(audience: "x509_san_dns:verifier.example", nonce: nonce)
/// let verification = await verifier.verify(try SDJWT(compact: text), expecting: .keyBinding(expectation))
/// switch verification.verdict {
/// case .verified(let credential): print(credential.claims)
/// case .refused(let refusal): print(refusal)
/// }
/// ```
///
/// A verifier keeps nothing between two calls. It can be kept and used from many tasks.
public struct SDJWTVerifier: Sendable {
    /// The demands on an SD-JWT.
    public let policy: SDJWTVerificationPolicy

    private let issuerKeys: any IssuerKeyResolver
    private let holderKeys: (any DIDResolver)?
    private let typeMetadata: TypeMetadataPolicy
    private let statusChecker: SDJWTStatusChecker?
    private let additionalChecks: [AdditionalCheck<VerifiedSDJWT>]
    private let clock: @Sendable () -> Date

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - policy: The demands on an SD-JWT.
    ///   - issuerKeys: Finds the keys of issuers, and decides which issuers are trusted.
    ///   - holderKeys: Finds the keys that credentials name by a DID URL (`cnf` with `kid`) and that the DID lists for
    ///     authentication, the only one where the name is the DID alone; nil to accept only keys in the credential itself.
    ///   - typeMetadata: The demand on the metadata of a credential's type.
    ///   - statusChecker: Finds out the status of credentials. Without one, the status of a credential that names one is
    ///     unknown, and the credential is refused unless the policy waives the check.
    ///   - additionalChecks: The user's own checks, made after all others.
    ///   - clock: Returns the time; read once per verification.
    public init(
        policy: SDJWTVerificationPolicy,
        issuerKeys: any IssuerKeyResolver,
        holderKeys: (any DIDResolver)? = nil,
        typeMetadata: TypeMetadataPolicy = .waived,
        statusChecker: SDJWTStatusChecker? = nil,
        additionalChecks: [AdditionalCheck<VerifiedSDJWT>] = [],
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.policy = policy
        self.issuerKeys = issuerKeys
        self.holderKeys = holderKeys
        self.typeMetadata = typeMetadata
        self.statusChecker = statusChecker
        self.additionalChecks = additionalChecks
        self.clock = clock
    }

    /// Verifies a presentation, or an issuer's SD-JWT.
    ///
    /// - Parameters:
    ///   - sdJWT: The SD-JWT as read.
    ///   - expectation: The expectation of the presentation; a holder that gets a credential from its issuer expects
    ///     ``SDJWTExpectation/noKeyBinding``.
    public func verify(
        _ sdJWT: SDJWT,
        expecting expectation: SDJWTExpectation
    ) async -> Verification<VerifiedSDJWT> {
        var checks = SDJWTChecks(sdJWT, policy: policy, expectation: expectation, at: clock())
        await run(&checks)
        await checks.make(additionalChecks)
        return checks.verification()
    }

    /// Verifies a credential that an issuer hands to a wallet, before the wallet stores it: every check but those of a presentation,
    /// and that the credential is bound to the wallet's key (the check `holderKey`).
    ///
    /// The status is asked for as the policy demands: without a network, a credential that names one is refused with the reason
    /// `statusUnknown`, so that another attempt may succeed (`Refusal.isUnavailable`). That differs from
    /// `MdocVerifier.verifyForStorage`, which asks for no status and reaches no network. A wallet that stores credentials offline
    /// waives the check with ``SDJWTVerificationPolicy/status``.
    ///
    /// All Disclosures are expected, whatever the policy says (``SDJWTVerificationPolicy/expectsAllDisclosures``).
    ///
    /// - Parameters:
    ///   - sdJWT: The credential as read.
    ///   - holderKey: The key that the wallet asked for; nil to take any, and none.
    public func verifyForStorage(_ sdJWT: SDJWT, holderKey: PublicKey? = nil) async -> Verification<VerifiedSDJWT> {
        var policy = policy
        policy.expectsAllDisclosures = true
        var checks = SDJWTChecks(sdJWT, policy: policy, expectation: .noKeyBinding, at: clock())
        checks.ownKey = holderKey
        await run(&checks)
        await checks.make(additionalChecks)
        return checks.verification()
    }

    private func run(_ checks: inout SDJWTChecks) async {
        checks.checkHeader()
        guard !checks.isRefused else { return }
        let signature = await issuerSignature(for: checks, of: checks.unverifiedIssuer())
        checks.checkIssuer(signature)
        guard !checks.isRefused else { return }
        checks.checkPayload()
        await checkDisclosedIssuer(&checks)
        checks.checkIssuerTrust()
        checks.checkKeyBindingPresence()
        if checks.needsHolderKey {
            let holderKey = await holderKey(for: checks)
            checks.checkKeyBinding(holderKey)
        } else if let ownKey = checks.ownKey {
            let holderKey = await holderKey(for: checks)
            checks.checkHolderKey(holderKey, is: ownKey)
        } else {
            checks.skipKeyBinding()
        }
        await typeMetadata.check(&checks)
        await checks.checkStatus(statusChecker)
    }

    /// Makes the checks of the issuer's key again for an issuer that only a Disclosure names: its key was found without the
    /// name.
    private func checkDisclosedIssuer(_ checks: inout SDJWTChecks) async {
        guard let issuer = checks.disclosedIssuer else { return }
        let signature = await issuerSignature(for: checks, of: .success(issuer))
        checks.checkIssuer(signature)
    }

    /// The signature by the issuer's key, or by its new key where the known one has not made it.
    private func issuerSignature(
        for checks: borrowing SDJWTChecks,
        of issuer: Result<String?, SDJWTError>
    ) async -> Result<IssuerSignature, SDJWTError> {
        let (header, time) = (checks.issuerHeader, checks.now)
        do throws(SDJWTError) {
            let issuer = try issuer.get()
            let signature = checks.issuerSignature(
                by: try await issuerKeys.key(for: header, issuer: issuer, at: time)
            )
            guard !signature.isValid else { return .success(signature) }
            guard let renewed = await issuerKeys.renewedKey(for: header, issuer: issuer, at: time) else {
                return .success(signature)
            }
            return .success(checks.issuerSignature(by: renewed))
        } catch {
            return .failure(error)
        }
    }

    private func holderKey(for checks: borrowing SDJWTChecks) async -> Result<JWK, SDJWTError> {
        do throws(SDJWTError) {
            return .success(try await resolve(try checks.confirmation(), at: checks.now))
        } catch {
            return .failure(error)
        }
    }

    private func resolve(_ confirmation: JWTConfirmation, at time: Date) async throws(SDJWTError) -> JWK {
        switch confirmation {
        case .key(let key): return key
        case .keyID(let url):
            guard let holderKeys else {
                throw SDJWTError(
                    .unsupportedHolderKey,
                    "the holder's key is named by \"\(url)\", which nothing here resolves"
                )
            }
            do throws(DIDError) {
                return try await holderKeys.namedMethod(DIDURL(url), for: .authentication, at: time).jwk()
            } catch {
                throw SDJWTError(error)
            }
        case .thumbprint:
            throw SDJWTError(.unsupportedHolderKey, "a thumbprint alone does not give the holder's key")
        }
    }
}

extension SDJWTVerifier {
    /// Verifies a presentation with an issuer's key that is known already, without anything that must be fetched.
    ///
    /// Type metadata are left out, and the status of a credential that names one is unknown: waive it in the policy to accept
    /// such a credential. A holder's key must stand in the credential.
    ///
    /// - Parameters:
    ///   - sdJWT: The SD-JWT as read.
    ///   - issuerKey: The key that the issuer's signature must verify with.
    ///   - policy: The demands on an SD-JWT.
    ///   - expectation: The expectation of the presentation.
    ///   - time: The time.
    public static func verify(
        _ sdJWT: SDJWT,
        issuerKey: IssuerKey,
        policy: SDJWTVerificationPolicy,
        expecting expectation: SDJWTExpectation,
        at time: Date
    ) -> Verification<VerifiedSDJWT> {
        var checks = SDJWTChecks(sdJWT, policy: policy, expectation: expectation, at: time)
        checks.checkHeader()
        guard !checks.isRefused else { return checks.verification() }
        checks.checkIssuer(.success(checks.issuerSignature(by: issuerKey)))
        guard !checks.isRefused else { return checks.verification() }
        checks.checkPayload()
        checks.checkIssuerTrust()
        checks.checkKeyBindingPresence()
        if checks.needsHolderKey {
            checks.checkKeyBinding(checks.embeddedHolderKey())
        } else {
            checks.skipKeyBinding()
        }
        checks.record(.typeMetadata, .waived("typeMetadata"))
        checks.checkStatusOffline()
        return checks.verification()
    }
}

extension SDJWTChecks {
    /// The holder's key, where the credential holds it.
    fileprivate func embeddedHolderKey() -> Result<JWK, SDJWTError> {
        do throws(SDJWTError) {
            guard case .key(let key) = try confirmation() else {
                throw SDJWTError(.unsupportedHolderKey, "the credential does not hold the holder's key")
            }
            return .success(key)
        } catch {
            return .failure(error)
        }
    }
}
