import CredentialTransport
import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A disjunction that was answered in an earlier session of a chain; the server wants the same answer again.
struct ShownDisjunction: Hashable, Sendable {
    let attributes: AttributeConjunction
    let credentials: [CandidateCredential]
}

/// The attributes that a chain of sessions has shown to a server.
struct ShownAttributes: Sendable {
    let server: HTTPURL
    let disjunctions: [ShownDisjunction]

    /// Returns `true` for a URL of that server, which gets the attributes again without a question.
    func wereShown(to url: HTTPURL) -> Bool {
        url.scheme == server.scheme && url.host == server.host && url.port == server.port
    }
}

/// A request that the wallet has checked, with the schemes that the session keeps.
struct SessionPreparation: Sendable {
    let request: WalletRequest
    /// The request with what the chain has shown before, which the user is not asked about again.
    let effective: SessionRequest
    /// The answers to what the chain has shown before.
    let repeated: [DisclosureCandidate]
    let schemes: SchemeSnapshot
}

extension SessionRequest {
    /// Refuses a request that the wallet does not take part in.
    ///
    /// - Throws: ``WalletError/Code/invalidRequest``, ``WalletError/Code/unknownIdentifier``,
    ///   ``WalletError/Code/requiredAttributeMissing``, ``WalletError/Code/randomBlind``.
    func requireAcceptable(
        kind: SessionKind,
        schemes: SchemeSnapshot,
        options: WalletOptions,
        at time: Date
    ) throws(WalletError) {
        guard self.kind == kind else {
            throw WalletError(.invalidRequest, "a request of the kind \(self.kind), the pointer says \(kind)")
        }
        guard !parameters.isDeveloperMode || options.isDeveloperMode else {
            throw WalletError(
                .invalidRequest,
                "the server is in developer mode, and the wallet is not",
                path: ["devMode"]
            )
        }
        guard parameters.nonce != nil else {
            throw WalletError(.invalidRequest, "the request has no nonce", path: ["nonce"])
        }
        for (position, credential) in credentials.enumerated() {
            do throws(WalletError) {
                try credential.requireAttributes(schemes)
            } catch {
                throw error.inside("credentials[\(position)]")
            }
        }
        try WalletError.converting { () throws(IRMAError) in try validate(with: schemes) }
        for (position, credential) in credentials.enumerated() {
            do throws(WalletError) {
                try credential.requireIssuable(schemes, at: time)
            } catch {
                throw error.inside("credentials[\(position)]")
            }
        }
    }

    /// The schemes that the request names.
    var schemeIdentifiers: Set<SchemeIdentifier> {
        Set(disclose.attributes.map(\.type.credentialType.scheme)).union(credentials.map(\.credential.scheme))
            .union(parameters.revocation?.demands.keys.map(\.scheme) ?? [])
    }

    /// The credentials to issue, as the app shows them.
    func offers(
        _ schemes: SchemeSnapshot,
        held: [HeldCredential],
        at time: Date
    ) throws(WalletError) -> [OfferedCredential] {
        var offers: [OfferedCredential] = []
        for credential in credentials {
            guard let type = schemes.credentialType(credential.credential) else { continue }
            var values: [ExactText: String?] = [:]
            for attribute in type.attributes where !attribute.isRevocation && !attribute.isRandomBlind {
                let name = ExactText(attribute.name)
                values[name] = .some(credential.attributes[name])
            }
            offers.append(
                OfferedCredential(
                    type: credential.credential,
                    values: values,
                    randomBlindNames: type.attributes.filter(\.isRandomBlind).map(\.name),
                    expiresAt: try credential.metadata(at: time).expiryDate,
                    isRevocable: credential.isRevocationSupported,
                    copyCount: credential.copyCount,
                    replaces: type.isSingleton ? held.first { $0.type == type.id }?.hash : nil
                )
            )
        }
        return offers
    }
}

extension CredentialRequest {
    /// Refuses a credential without the attributes that its type needs.
    fileprivate func requireAttributes(_ schemes: SchemeSnapshot) throws(WalletError) {
        guard let type = schemes.credentialType(credential) else {
            throw WalletError(.unknownIdentifier, "no such credential type", path: [credential.text])
        }
        if let missing = missingAttributes(of: type).first {
            throw WalletError(
                .requiredAttributeMissing,
                "an attribute that is not optional is missing",
                path: ["\(credential.text).\(missing.name)"]
            )
        }
        let announced = randomBlindNames.map { ExactText($0) }
        guard announced == type.announcedRandomBlindNames.map({ ExactText($0) }) else {
            throw WalletError(
                .randomBlind,
                "the random-blind attributes are not those of the type",
                path: [credential.text]
            )
        }
    }

    /// Refuses a credential whose key is unknown or expired, or whose dates its metadata cannot hold.
    ///
    /// Expiry is kept to the week, so a credential for some hours or days can be one that has expired. Like the reference, the
    /// wallet takes it: requests that skip the check of expiry are answered with it.
    fileprivate func requireIssuable(_ schemes: SchemeSnapshot, at time: Date) throws(WalletError) {
        let key = try publicKey(schemes)
        guard time <= key.expiryDate else {
            throw WalletError(.invalidRequest, "the issuer's key has expired", path: [credential.text, "keyCounter"])
        }
        guard !isRevocationSupported || schemes.credentialType(credential)?.revocationIndex != nil else {
            throw WalletError(.invalidRequest, "credentials of the type cannot be revoked", path: [credential.text])
        }
        _ = try metadata(at: time)
    }

    /// The issuer's key that the request names.
    func publicKey(_ schemes: SchemeSnapshot) throws(WalletError) -> IdemixIssuerPublicKey {
        // A counter of zero is left out of the message.
        let counter = keyCounter ?? 0
        guard let key = schemes.publicKey(of: credential.issuer, counter: counter) else {
            throw WalletError(
                .unknownIdentifier,
                "the issuer has no key \(counter)",
                path: [credential.text, "keyCounter"]
            )
        }
        return key
    }

    /// The metadata attribute, by the wallet's own clock.
    ///
    /// If the week ends between the issuer's computation and this one, the issuer's is a neighbor.
    func metadata(at time: Date) throws(WalletError) -> MetadataAttribute {
        let expiry = validity.map { Date(timeIntervalSince1970: Double($0)) } ?? DefaultValidity.end(signedAt: time)
        do throws(IdemixError) {
            return try MetadataAttribute(
                credentialType: credential.text,
                keyCounter: keyCounter ?? 0,
                signedAt: time,
                expiresAt: expiry
            )
        } catch {
            throw WalletError(.invalidRequest, error.message, path: [credential.text, "validity"], cause: error)
        }
    }

    /// The credential as the mathematics have it.
    func issuanceRequest(
        _ schemes: SchemeSnapshot,
        keyshareP: BigInteger?,
        at time: Date
    ) throws(WalletError) -> IdemixIssuanceRequest {
        let publicKey = try publicKey(schemes)
        let metadata = try metadata(at: time)
        guard let type = schemes.credentialType(credential) else {
            throw WalletError(.unknownIdentifier, "no such credential type", path: [credential.text])
        }
        var integers = [metadata.integer]
        for attribute in type.attributes {
            let isOpen = attribute.isRevocation || attribute.isRandomBlind
            integers.append(
                isOpen ? .zero : metadata.encoding.integer(for: attributes[ExactText(attribute.name)])
            )
        }
        return try WalletError.convertingIdemix { () throws(IdemixError) in
            try IdemixIssuanceRequest(
                publicKey: publicKey,
                attributes: integers,
                blindIndices: type.blindIndices,
                revocationIndex: isRevocationSupported ? type.revocationIndex : nil,
                keyshareP: keyshareP
            )
        }
    }
}
