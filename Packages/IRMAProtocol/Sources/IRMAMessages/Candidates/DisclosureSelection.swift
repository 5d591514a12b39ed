public import IdemixCore

/// The holder's choice, as a wallet proves it: one disclosure for each credential, in the order of their first use, and the
/// places of the attributes that answer the request.
public struct DisclosureSelection: Hashable, Sendable {
    /// The disclosure of one credential.
    public struct Disclosure: Hashable, Sendable {
        /// The identity of the credential.
        public var hash: [UInt8]
        /// The credential type.
        public var type: CredentialTypeIdentifier
        /// The base indices to disclose; the metadata's is among them.
        public var disclosed: Set<Int>
        /// Indicates that the request demands a proof of non-revocation.
        public var provesNonRevocation: Bool
    }

    /// The disclosures.
    public private(set) var disclosures: [Disclosure] = []
    /// The places, one list for each disjunction.
    public private(set) var indices: [[AttributePosition]] = []

    /// Lays out a choice.
    ///
    /// - Parameters:
    ///   - choice: One candidate for each disjunction of the request.
    ///   - request: The request.
    ///   - schemes: The schemes of the request.
    /// - Throws: ``IRMAError/Code/notSatisfied`` for a choice that does not fit the request or has a credential that cannot be
    ///   shown, ``IRMAError/Code/unknownIdentifier``.
    public init(
        _ choice: [DisclosureCandidate],
        answering request: SessionRequest,
        schemes: SchemeSnapshot
    ) throws(IRMAError) {
        guard choice.count == request.disclose.disjunctions.count else {
            throw IRMAError(
                .notSatisfied,
                "\(choice.count) choices for \(request.disclose.disjunctions.count) disjunctions"
            )
        }
        for (position, (candidate, disjunction)) in zip(choice, request.disclose.disjunctions).enumerated() {
            do throws(IRMAError) {
                try add(candidate, disjunction, request, schemes)
            } catch {
                throw error.inside("disclose[\(position)]")
            }
        }
    }

    private mutating func add(
        _ candidate: DisclosureCandidate,
        _ disjunction: AttributeDisjunction,
        _ request: SessionRequest,
        _ schemes: SchemeSnapshot
    ) throws(IRMAError) {
        guard disjunction.choices.indices.contains(candidate.choice) else {
            throw IRMAError(.notSatisfied, "the disjunction has no such choice")
        }
        var places: [AttributePosition] = []
        for attribute in disjunction.choices[candidate.choice].attributes {
            let id = attribute.type.credentialType
            guard let type = schemes.credentialType(id) else {
                throw IRMAError(.unknownIdentifier, "no such credential type", path: [id.text])
            }
            let chosen = candidate.credentials.first { $0.type == id }
            guard let chosen, chosen.isUsable, let hash = chosen.hash else {
                throw IRMAError(.notSatisfied, "no credential that can be shown", path: [id.text])
            }
            var index = 1
            if let name = attribute.type.attribute {
                guard let found = type.baseIndex(of: name) else {
                    throw IRMAError(.unknownIdentifier, "no such attribute", path: [attribute.type.text])
                }
                index = found
            }
            let provesNonRevocation = request.parameters.revocation?[id] != nil
            let credential = position(of: hash, id, provesNonRevocation: provesNonRevocation)
            disclosures[credential].disclosed.insert(index)
            places.append(AttributePosition(credential: credential, attribute: index))
        }
        indices.append(places)
    }

    private mutating func position(
        of hash: [UInt8],
        _ type: CredentialTypeIdentifier,
        provesNonRevocation: Bool
    ) -> Int {
        if let position = disclosures.firstIndex(where: { $0.hash == hash }) { return position }
        disclosures.append(
            Disclosure(hash: hash, type: type, disclosed: [1], provesNonRevocation: provesNonRevocation)
        )
        return disclosures.count - 1
    }
}

extension DisclosureSelection.Disclosure {
    /// The disclosure as the mathematics have it.
    ///
    /// Where it shows an attribute that the type has gained since the issuance, the credential is padded with absent attributes,
    /// up to those of the type. Other disclosures leave it as it is: verifiers whose schemes are older know no more attributes.
    ///
    /// - Parameters:
    ///   - credential: The credential, as it was issued.
    ///   - schemes: The schemes of the request.
    /// - Throws: ``IRMAError/Code/unknownIdentifier``; ``IRMAError/Code/proofFailed`` for an attribute that the credential
    ///   cannot show, and for a lacking witness.
    public func request(
        showing credential: IdemixCredential,
        schemes: SchemeSnapshot
    ) throws(IRMAError) -> IdemixDisclosureRequest {
        guard let type = schemes.credentialType(type) else {
            throw IRMAError(.unknownIdentifier, "no such credential type", path: [self.type.text])
        }
        var count = credential.attributes.count
        if let last = disclosed.max(), last > count {
            count = min(type.attributes.count + 1, credential.lastBaseIndex)
        }
        do throws(IdemixError) {
            return try IdemixDisclosureRequest(
                credential.padded(to: count),
                disclosing: disclosed,
                provingNonRevocation: provesNonRevocation
            )
        } catch {
            throw IRMAError(.proofFailed, error.message, path: [type.id.text] + error.path, cause: error)
        }
    }
}
