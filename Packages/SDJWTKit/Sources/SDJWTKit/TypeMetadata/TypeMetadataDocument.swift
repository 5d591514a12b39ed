import JSONKit

/// One type metadata document as it was published, without inherited parts (SD-JWT VC, type metadata format).
public struct TypeMetadataDocument: Sendable {
    /// The type that the document describes.
    public let vct: String
    /// The type's name for developers, or nil.
    public let name: String?
    /// More about the type for developers, or nil.
    public let description: String?
    /// The type that this one extends, or nil.
    public let extends: String?
    /// The digests that the extended type's document must have, or nil.
    public let extendsIntegrity: IntegrityMetadata?
    /// The display properties of the type, one entry a language; nil for a document without any.
    ///
    /// Entries that cannot be read are left out: they say nothing about a credential's validity.
    public let display: [TypeDisplay]?
    /// The faults of the entries that ``display`` leaves out.
    public let displayFaults: [SDJWTError]
    /// The document's metadata about claims.
    public let claims: [ClaimMetadata]

    /// The most claims that a type may describe.
    public static let maximumClaims = 1000

    private static let limits = JSONLimits(size: 1 << 20, depth: 32, values: 50_000)

    /// Reads a document; properties that this library does not know are skipped.
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/malformedTypeMetadata`` or ``SDJWTError/Code/limitExceeded``.
    public init(decoding bytes: some Collection<UInt8>) throws(SDJWTError) {
        let bytes = Array(bytes)
        do throws(SDJWTError) {
            let document = try reading(.malformedTypeMetadata) { () throws(JSONError) in
                try JSONDocument(bytes, limits: Self.limits)
            }
            try self.init(TypeMetadataReader(document.root))
        } catch {
            throw error.inside("type metadata")
        }
    }

    /// Reads the document of a type.
    ///
    /// - Throws: As ``init(decoding:)``; ``SDJWTError/Code/malformedTypeMetadata`` for a document of another type also.
    init(decoding bytes: [UInt8], of type: String) throws(SDJWTError) {
        try self.init(decoding: bytes)
        guard vct.hasSameBytes(as: type) else {
            throw SDJWTError(.malformedTypeMetadata, "the document describes the type \"\(vct)\"")
        }
    }

    private init(_ reader: TypeMetadataReader) throws(SDJWTError) {
        vct = try reader.requiredString("vct")
        name = try reader.string("name")
        description = try reader.string("description")
        extends = try reader.string("extends")
        extendsIntegrity = try reader.integrity("extends#integrity")
        (display, displayFaults) = Self.display(reader)
        claims = try reader.objects("claims")?.map { entry throws(SDJWTError) in try ClaimMetadata(entry) } ?? []
        try Self.requireDistinct(claims)
    }

    private static func display(_ reader: TypeMetadataReader) -> ([TypeDisplay]?, faults: [SDJWTError]) {
        var faults: [SDJWTError] = []
        do throws(SDJWTError) {
            guard let entries = try reader.objects("display") else { return (nil, []) }
            let display = entries.compactMap { entry -> TypeDisplay? in
                do throws(SDJWTError) {
                    return try TypeDisplay(entry)
                } catch {
                    faults.append(error.inside("type metadata"))
                    return nil
                }
            }
            return (display.isEmpty && !faults.isEmpty ? nil : display, faults)
        } catch {
            return (nil, [error.inside("type metadata")])
        }
    }

    /// Refuses two entries for one path, and one SVG name for two claims.
    static func requireDistinct(_ claims: [ClaimMetadata]) throws(SDJWTError) {
        guard claims.count <= maximumClaims else {
            throw SDJWTError(.limitExceeded, "\(claims.count) claims, over \(maximumClaims)")
        }
        guard Set(claims.map(\.path)).count == claims.count else {
            throw SDJWTError(.malformedTypeMetadata, "two entries have the same path", path: ["claims"])
        }
        let svgIDs = claims.compactMap(\.svgID)
        guard Set(svgIDs).count == svgIDs.count else {
            throw SDJWTError(.malformedTypeMetadata, "two claims have the same svg_id", path: ["claims"])
        }
    }
}
