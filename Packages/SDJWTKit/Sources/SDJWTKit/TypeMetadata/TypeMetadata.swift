/// The metadata of a credential's type, with those inherited from the types that it extends (SD-JWT VC, type metadata).
public struct TypeMetadata: Sendable {
    /// The documents, from the credential's own type to the one that extends no other.
    public let documents: [TypeMetadataDocument]

    /// The display properties of the type, one entry a language, from the first document that has any.
    public let display: [TypeDisplay]

    /// The metadata about claims: the inherited ones first, then the type's own.
    public let claims: [ClaimMetadata]

    /// The types that a credential of this type is of, its own first.
    public var types: [String] { documents.map(\.vct) }

    /// Joins documents, each of which extends the next.
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/invalidExtension`` if one changes a rule that an extended
    ///   type has fixed, or ``SDJWTError/Code/malformedTypeMetadata``.
    init(_ documents: [TypeMetadataDocument]) throws(SDJWTError) {
        self.documents = documents
        display = documents.lazy.compactMap(\.display).first ?? []
        var claims: [ClaimMetadata] = []
        for document in documents.reversed() {
            do throws(SDJWTError) {
                try Self.extend(&claims, by: document.claims)
                try TypeMetadataDocument.requireDistinct(claims)
            } catch {
                throw error.inside(document.vct)
            }
        }
        self.claims = claims
    }

    private static func extend(_ claims: inout [ClaimMetadata], by own: [ClaimMetadata]) throws(SDJWTError) {
        var places = Dictionary(uniqueKeysWithValues: claims.enumerated().map { ($0.element.path, $0.offset) })
        for claim in own {
            guard let place = places[claim.path] else {
                places[claim.path] = claims.count
                claims.append(claim)
                continue
            }
            claims[place] = try claims[place].extended(by: claim)
        }
    }
}

extension ClaimMetadata {
    /// The claim's metadata in an extending type: its own properties take precedence, within limits.
    fileprivate func extended(by own: ClaimMetadata) throws(SDJWTError) -> ClaimMetadata {
        if let fixed = selectiveDisclosure, fixed != .allowed, let new = own.selectiveDisclosure, new != fixed {
            throw SDJWTError(.invalidExtension, "sd of \(path) changes from \(fixed) to \(new)", path: ["claims"])
        }
        if mandatory == true, own.mandatory == false {
            throw SDJWTError(.invalidExtension, "\(path) is mandatory in the extended type", path: ["claims"])
        }
        var claim = self
        claim.display = own.display ?? display
        claim.mandatory = own.mandatory ?? mandatory
        claim.selectiveDisclosure = own.selectiveDisclosure ?? selectiveDisclosure
        claim.svgID = own.svgID ?? svgID
        return claim
    }
}
