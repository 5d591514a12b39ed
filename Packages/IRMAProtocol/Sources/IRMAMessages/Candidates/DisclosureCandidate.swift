#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A credential that could answer the requests for one credential type, or the lack of one.
public struct CandidateCredential: Hashable, Sendable {
    /// The credential type.
    public var type: CredentialTypeIdentifier
    /// The identity of the credential, or nil for one that the holder could obtain.
    public var hash: [UInt8]?
    /// Indicates a credential that has expired, and whose type the request does not except.
    public var isExpired: Bool
    /// Indicates a credential that was revoked.
    public var isRevoked: Bool
    /// Indicates a credential without a witness where the request demands one.
    public var lacksWitness: Bool

    /// Describes a credential.
    public init(
        type: CredentialTypeIdentifier,
        hash: [UInt8]?,
        isExpired: Bool = false,
        isRevoked: Bool = false,
        lacksWitness: Bool = false
    ) {
        self.type = type
        self.hash = hash
        self.isExpired = isExpired
        self.isRevoked = isRevoked
        self.lacksWitness = lacksWitness
    }

    /// Returns `true` if the credential can be shown.
    public var isUsable: Bool { hash != nil && !isExpired && !isRevoked && !lacksWitness }
}

/// A way to answer a disjunction: one of its conjunctions, with a credential for each credential type.
public struct DisclosureCandidate: Hashable, Sendable {
    /// The position of the conjunction in its disjunction.
    public var choice: Int
    /// The credentials, in the order in which the conjunction first names their types; empty for the empty conjunction.
    public var credentials: [CandidateCredential]

    /// Describes a way to answer.
    public init(choice: Int, credentials: [CandidateCredential]) {
        self.choice = choice
        self.credentials = credentials
    }

    /// Returns `true` if every credential can be shown.
    public var isUsable: Bool { credentials.allSatisfy(\.isUsable) }
}

extension SessionRequest {
    /// The largest number of candidates for a disjunction.
    public static let maximumCandidates = 1_000

    /// The ways to answer each disjunction with the credentials of a wallet.
    ///
    /// Credentials that cannot be shown are among them with the reason, since wallets say it. One more candidate stands for a
    /// credential that the holder could obtain: always for a type with a page that issues it, unless it is a singleton; for
    /// another type if no credential matches and the request does not issue one. A type that is no longer issued has none.
    ///
    /// - Parameters:
    ///   - held: The credentials of the wallet.
    ///   - schemes: The schemes of the request, which ``validate(with:)`` has accepted.
    ///   - time: The time.
    /// - Throws: ``IRMAError/Code/unknownIdentifier``, and ``IRMAError/Code/limitExceeded`` for more than
    ///   ``maximumCandidates`` ways to answer a disjunction.
    public func candidates(
        among held: [HeldCredential],
        schemes: SchemeSnapshot,
        at time: Date
    ) throws(IRMAError) -> [[DisclosureCandidate]] {
        var candidates: [[DisclosureCandidate]] = []
        for (position, disjunction) in disclose.disjunctions.enumerated() {
            var ways: [DisclosureCandidate] = []
            for (choice, conjunction) in disjunction.choices.enumerated() {
                var combinations: [[CandidateCredential]] = [[]]
                for type in conjunction.credentialTypes {
                    let credentials = try self.credentials(of: type, for: conjunction, among: held, schemes, time)
                    guard combinations.count * credentials.count + ways.count <= Self.maximumCandidates else {
                        throw IRMAError(
                            .limitExceeded,
                            "more than \(Self.maximumCandidates) ways to answer",
                            path: ["disclose[\(position)]"]
                        )
                    }
                    combinations = combinations.flatMap { combination in credentials.map { combination + [$0] } }
                }
                ways += combinations.map { DisclosureCandidate(choice: choice, credentials: $0) }
            }
            candidates.append(ways)
        }
        return candidates
    }

    private func credentials(
        of id: CredentialTypeIdentifier,
        for conjunction: AttributeConjunction,
        among held: [HeldCredential],
        _ schemes: SchemeSnapshot,
        _ time: Date
    ) throws(IRMAError) -> [CandidateCredential] {
        guard let type = schemes.credentialType(id) else {
            throw IRMAError(.unknownIdentifier, "no such credential type", path: [id.text])
        }
        let requests = conjunction.attributes.filter { $0.type.credentialType == id }
        let mustProveNonRevocation = parameters.revocation?[id] != nil
        var found = held.filter { $0.type == id && Self.satisfies($0, requests, type) }.map { credential in
            CandidateCredential(
                type: id,
                hash: credential.hash,
                isExpired: !skipExpiryCheck.contains(id) && credential.expiresAt < time,
                isRevoked: credential.isRevoked,
                lacksWitness: mustProveNonRevocation && !credential.hasWitness
            )
        }
        if suggests(type, isHeld: !found.isEmpty, schemes, time) {
            found.append(CandidateCredential(type: id, hash: nil))
        }
        return found
    }

    /// Returns `true` if the holder is offered to obtain a credential.
    private func suggests(
        _ type: CredentialTypeDescription,
        isHeld: Bool,
        _ schemes: SchemeSnapshot,
        _ time: Date
    ) -> Bool {
        let ends = [type.deprecatedSince, schemes.issuer(type.id.issuer)?.deprecatedSince].compactMap(\.self)
        guard ends.allSatisfy({ $0 == 0 || Double($0) >= time.timeIntervalSince1970 }) else { return false }
        if !type.issueURL.texts.isEmpty, !type.isSingleton { return true }
        return !isHeld && !credentials.contains { $0.credential == type.id }
    }

    private static func satisfies(
        _ credential: HeldCredential,
        _ requests: [AttributeRequest],
        _ type: CredentialTypeDescription
    ) -> Bool {
        requests.allSatisfy { request in
            guard let name = request.type.attribute else { return true }
            guard let index = type.baseIndex(of: name), let value = credential.values[index] else { return false }
            return request.isSatisfied(by: value)
        }
    }
}
