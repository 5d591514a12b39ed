public import IRMAMessages

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The party that asks, as far as the wallet knows it.
public struct WalletRequestor: Hashable, Sendable {
    /// The host name of the session's server.
    public var host: String
    /// The description of the host's owner in a scheme of requestors, or `nil`; only for https.
    public var description: RequestorDescription?
    /// The logo that the description names, a PNG picture, or `nil`.
    public var logo: [UInt8]?
}

/// A disjunction of a request with the ways to answer it.
public struct WalletDisjunction: Hashable, Sendable {
    /// The requestor's text, or `nil`.
    public var label: TranslatedText?
    /// The conjunctions that are asked for, one of which is answered.
    public var disjunction: AttributeDisjunction
    /// The ways to answer, also those that cannot be chosen, with the reason.
    public var candidates: [DisclosureCandidate]

    /// Returns `true` if nothing need be shown for it.
    public var isOptional: Bool { disjunction.isOptional }
    /// The ways that can be chosen.
    public var usableCandidates: [DisclosureCandidate] { candidates.filter(\.isUsable) }
}

/// A credential that the issuer offers.
public struct OfferedCredential: Hashable, Sendable {
    /// The credential type.
    public var type: CredentialTypeIdentifier
    /// The values by the attributes' own names; `nil` for an absent optional attribute.
    public var values: [ExactText: String?]
    /// The attributes whose values both sides choose at random.
    public var randomBlindNames: [String]
    /// The expiry, to the week: past, for a credential that expires before the end of the current one.
    public var expiresAt: Date
    /// Indicates that the issuer can revoke the credential.
    public var isRevocable: Bool
    /// The number of SD-JWT copies that the issuer offers besides.
    public var copyCount: Int
    /// The credential that a singleton takes the place of, or `nil`.
    public var replaces: [UInt8]?
}

/// A request, as the app shows it to its user: the requestor, the requested attributes, the ways to answer, and the
/// offered credentials.
public struct WalletRequest: Sendable {
    /// The party that asks.
    public let requestor: WalletRequestor
    /// The request as the server sent it.
    public let request: SessionRequest
    /// The version of the protocol.
    public let protocolVersion: ProtocolVersion
    /// The disjunctions with the ways to answer each.
    ///
    /// Those of attributes that earlier sessions of a chain have shown to another server follow the request's own: the server of
    /// the chain may go on under another host.
    public let disjunctions: [WalletDisjunction]
    /// The credentials that the issuer offers, in the request's order.
    public let credentials: [OfferedCredential]
    /// The attributes that earlier sessions of the chain have shown to this server, and that it gets again.
    public let repeated: [[LoggedAttribute]]
    /// The credentials of the wallet, which the candidates name.
    public let held: [HeldCredential]

    /// The kind of session.
    public var kind: SessionKind { request.kind }
    /// The message to sign, or `nil`.
    public var message: String? { request.message }
    /// The URL that the app returns to after the session, or `nil`.
    public var returnURL: String? { request.parameters.clientReturnURL }
    /// Returns `true` if each disjunction can be answered.
    public var isSatisfiable: Bool { disjunctions.allSatisfy { !$0.usableCandidates.isEmpty } }

    /// The choice of the first usable candidate of each disjunction, or `nil` if one has no such candidate.
    ///
    /// A signature without attributes is not valid. Where these candidates show none, one optional disjunction is answered with
    /// its first usable credentials, if the wallet has some.
    public var firstChoice: WalletChoice? {
        var candidates = disjunctions.compactMap(\.usableCandidates.first)
        guard candidates.count == disjunctions.count else { return nil }
        if kind == .signing, candidates.allSatisfy(\.credentials.isEmpty) {
            for (position, disjunction) in disjunctions.enumerated() {
                guard let shown = disjunction.usableCandidates.first(where: { !$0.credentials.isEmpty }) else {
                    continue
                }
                candidates[position] = shown
                break
            }
        }
        return WalletChoice(candidates)
    }

    /// The choice of candidates by their positions, one for each disjunction.
    ///
    /// - Throws: ``WalletError/Code/invalidChoice``.
    public func choice(of positions: [Int]) throws(WalletError) -> WalletChoice {
        guard positions.count == disjunctions.count else {
            throw WalletError(.invalidChoice, "\(positions.count) choices for \(disjunctions.count) disjunctions")
        }
        var candidates: [DisclosureCandidate] = []
        for (position, disjunction) in zip(positions, disjunctions) {
            guard disjunction.candidates.indices.contains(position) else {
                throw WalletError(.invalidChoice, "the disjunction has no candidate \(position)")
            }
            candidates.append(disjunction.candidates[position])
        }
        return WalletChoice(candidates)
    }

    /// The attributes that a candidate shows, for the app to display.
    public func attributes(of candidate: DisclosureCandidate, in disjunction: WalletDisjunction) -> [LoggedAttribute] {
        guard disjunction.disjunction.choices.indices.contains(candidate.choice) else { return [] }
        return disjunction.disjunction.choices[candidate.choice].attributes.map { attribute in
            let type = attribute.type.credentialType
            let hash = candidate.credentials.first { $0.type == type }?.hash
            let credential = held.first { $0.hash == hash }
            let value = valueNames[attribute.type].flatMap { credential?.values[$0] ?? nil }
            return LoggedAttribute(attribute.type, value: value)
        }
    }

    /// The base indices of the attributes that are asked.
    let valueNames: [AttributeIdentifier: Int]
}

/// The user's choice: a candidate for each disjunction of a request.
public struct WalletChoice: Hashable, Sendable {
    /// The candidates.
    public var candidates: [DisclosureCandidate]

    /// Collects candidates; empty for a request that asks to show nothing.
    public init(_ candidates: [DisclosureCandidate] = []) {
        self.candidates = candidates
    }
}

/// The beginning of a session.
public enum SessionStart: Sendable {
    /// The user has to type a code in the browser that shows the QR code; ``WalletSession/waitForPairing()`` follows.
    case pairing(code: String)
    /// The request has come.
    case request(WalletRequest)
}

/// A finished session.
public struct SessionOutcome: Sendable {
    /// The log's entry, with what was shown, signed, issued and removed.
    public let entry: SessionLogEntry
    /// The next session of a chain, or `nil`.
    public let nextSession: WalletSession?
    /// The URL that the app returns to, or `nil`.
    public let returnURL: String?

    /// The signed message of a signature session, or `nil`.
    public var signature: SignedMessage? { entry.signature }
}
