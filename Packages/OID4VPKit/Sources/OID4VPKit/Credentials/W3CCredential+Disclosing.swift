import JSONKit
package import LinkedDataKit
import OID4VPMessages
package import SDJWTKit

extension W3CCredential {
    /// The credential as it is presented for some matches.
    func presentation(of matches: [QueryMatch]) throws(LinkedDataError) -> VerifiableCredential {
        try presentation(disclosing: matches.flatMap(\.disclosedPaths), askedFor: matches.flatMap(\.askedPaths))
    }

    /// The credential as it is presented with some claims.
    ///
    /// A base proof stays in the wallet: the presented proof is derived from the first one, and discloses what the issuer
    /// made mandatory, the claims, and what the data model demands of every credential. All other credentials are presented
    /// as they are.
    ///
    /// - Parameters:
    ///   - paths: The claims.
    ///   - asked: The paths as the query writes them. An array that one of them enters by an index keeps its elements up to
    ///     that, since a verifier finds the claim by its place.
    /// - Throws: As ``LinkedDataKit/LinkedDataProver/derive(from:revealing:proof:)`` does.
    package func presentation(
        disclosing paths: [ClaimPath],
        askedFor asked: [ClaimPath]
    ) throws(LinkedDataError) -> VerifiableCredential {
        guard case .linkedData(let document) = credential.form,
            let base = document.proofs.first(where: \.isBaseProof)
        else { return credential }
        var disclosed = try DisclosedPlaces(claims)
        for path in paths { try disclosed.add(path, askedFor: asked) }
        var members = document.unverifiedDocument
        members["proof"] = .object(base.members)
        return VerifiableCredential(
            .linkedData(try prover.derive(from: SecuredDocument(json: members), revealing: disclosed.pointers))
        )
    }
}

/// The places of a credential that a derived proof discloses.
private struct DisclosedPlaces {
    /// The places, without repetitions.
    private(set) var pointers: [JSONPointer] = []

    private let claims: JSONObject
    private var known: Set<JSONPointer> = []

    /// Starts with what every credential must have: its issuer, the identifiers of its subjects, and in version 1.1 the date
    /// of issuance.
    init(_ claims: JSONObject) throws(LinkedDataError) {
        self.claims = claims
        if let issuer = claims["issuer"] { try add(identityOf: issuer, at: [.name("issuer")]) }
        if claims.contains("issuanceDate") { try add([.name("issuanceDate")]) }
        switch claims["credentialSubject"] {
        case .array(let subjects)?:
            for (index, subject) in subjects.enumerated() {
                try add(identityOf: subject, at: [.name("credentialSubject"), .index(index)])
            }
        case let subject?: try add(identityOf: subject, at: [.name("credentialSubject")])
        case nil: break
        }
    }

    /// Adds a claim.
    ///
    /// - Parameter asked: The paths as the query writes them.
    mutating func add(_ path: ClaimPath, askedFor asked: [ClaimPath]) throws(LinkedDataError) {
        var steps = path.components
        while case .all? = steps.last { steps.removeLast() }
        for (place, _) in ClaimPath(steps).places(in: .object(claims)) {
            try add(place.components)
            try addPredecessors(of: place, askedFor: asked)
        }
    }

    /// Adds the elements before each one that a query finds by its index.
    private mutating func addPredecessors(
        of place: ClaimPath,
        askedFor asked: [ClaimPath]
    ) throws(LinkedDataError) {
        let steps = place.components
        for (depth, step) in steps.enumerated() {
            guard case .index(let index) = step, index > 0,
                asked.contains(where: { $0.leads(to: steps) && $0.components[depth] == step })
            else { continue }
            let array = Array(steps[..<depth])
            let values = ClaimPath(array).places(in: .object(claims)).first?.value.arrayValue ?? []
            for (other, value) in values.prefix(index).enumerated() {
                try add(identityOf: value, at: array + [.index(other)])
            }
        }
    }

    /// Adds no more of an object than its identifier or its types, which are disclosed with any part of it; any other value as a
    /// whole.
    private mutating func add(
        identityOf value: JSONValue,
        at steps: [ClaimPath.Component]
    ) throws(LinkedDataError) {
        let name = ["id", "type"].first { value.objectValue?.contains($0) == true }
        try add(steps + [name.map { .name($0) }].compactMap { $0 })
    }

    private mutating func add(_ steps: [ClaimPath.Component]) throws(LinkedDataError) {
        let tokens = steps.compactMap { step in
            switch step {
            case .name(let name): ExactText(name)
            case .index(let index): ExactText(String(index))
            case .all: nil
            }
        }
        let pointer = try JSONPointer(tokens: tokens)
        if known.insert(pointer).inserted { pointers.append(pointer) }
    }
}

extension ClaimPath {
    /// Returns `true` for the path of a query that selects a value at a place, or one around it.
    fileprivate func leads(to place: [Component]) -> Bool {
        components.count >= place.count
            && zip(components, place).allSatisfy { asked, step in if case .all = asked { true } else { asked == step } }
    }
}
