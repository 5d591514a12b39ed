import JSONKit
public import VerificationCore

/// The bounds that a superior sets for the entities below it (OpenID Federation 1.0, section 6.2).
public struct TrustChainConstraints: Hashable, Sendable {
    /// The largest number of intermediates between the superior and the subject of the chain; nil for any.
    public let maximumPathLength: Int?
    /// The hosts and domains of which subordinates must have one; nil for any.
    public let permittedNames: [HostConstraint]?
    /// The hosts and domains that no subordinate may have.
    public let excludedNames: [HostConstraint]
    /// The types that subordinates may have beside `federation_entity`; nil for any.
    public let allowedEntityTypes: Set<ExactText>?

    /// The type that every entity may have.
    static let federationEntity: ExactText = "federation_entity"

    /// Refuses a subordinate whose host is not permitted, or excluded.
    ///
    /// An address is never within a constraint of names, as in RFC 5280, section 4.2.1.10.
    func requireName(of entity: EntityIdentifier) throws(FederationError) {
        guard permittedNames != nil || !excludedNames.isEmpty else { return }
        let path = ["naming_constraints"]
        guard let host = entity.hostName else {
            throw FederationError(.constraintViolation, "\(entity) has an address in place of a name", path: path)
        }
        if excludedNames.contains(where: { $0.includes(host) }) {
            throw FederationError(.constraintViolation, "\(entity) is excluded", path: path)
        }
        if let permittedNames, !permittedNames.contains(where: { $0.includes(host) }) {
            throw FederationError(.constraintViolation, "\(entity) is not among the permitted names", path: path)
        }
    }

    /// Refuses a chain with more intermediates below the superior than it allows.
    func requirePathLength(_ intermediates: Int) throws(FederationError) {
        guard let maximumPathLength, intermediates > maximumPathLength else { return }
        throw FederationError(
            .constraintViolation,
            "\(intermediates) intermediates, over \(maximumPathLength)",
            path: ["max_path_length"]
        )
    }

    /// The metadata of the types that are allowed.
    func allowed(in metadata: JSONObject) -> JSONObject {
        guard let allowedEntityTypes else { return metadata }
        return JSONObject(
            metadata.lazy.filter { member in
                let type = ExactText(member.name)
                return type == Self.federationEntity || allowedEntityTypes.contains(type)
            }
        )
    }
}

/// A host, or a domain with all hosts below it (RFC 5280, section 4.2.1.10, for URIs).
public struct HostConstraint: Hashable, Sendable, CustomStringConvertible {
    /// The name in lower case; a domain begins with a dot.
    public let description: String

    /// Reads a constraint: `host.example` for the host alone, `.example` for all below the domain.
    ///
    /// - Throws: ``FederationError/Code/malformed`` for anything but a name in ASCII.
    public init(_ text: String) throws(FederationError) {
        let labels = (text.utf8.first == UInt8(ascii: ".") ? text.dropFirst() : text[...])
            .split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in !label.isEmpty && label.utf8.allSatisfy(Self.isLabelByte) }
        guard isName else { throw FederationError(.malformed, "\"\(text)\" is not the name of a host or domain") }
        description = text.lowercased()
    }

    /// Returns `true` for a name of a host, in lower case, that is the constraint's or below its domain.
    func includes(_ host: String) -> Bool {
        guard description.utf8.first == UInt8(ascii: ".") else { return host.hasSameBytes(as: description) }
        return host.utf8.count > description.utf8.count
            && host.utf8.suffix(description.utf8.count).elementsEqual(description.utf8)
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension TrustChainConstraints {
    /// Reads the claim `constraints`; unknown members are ignored.
    ///
    /// - Throws: ``FederationError/Code/malformed``.
    init(_ value: JSONValue) throws(FederationError) {
        let reader = try ClaimReader(value)
        maximumPathLength = try reader.count("max_path_length")
        let names = try reader.object("naming_constraints").map { value throws(FederationError) in
            try ClaimReader(value).inside("naming_constraints")
        }
        permittedNames = try names?.texts("permitted")?.map { text throws(FederationError) in try HostConstraint(text) }
        excludedNames =
            try names?.texts("excluded")?.map { text throws(FederationError) in try HostConstraint(text) } ?? []
        let types = try reader.texts("allowed_entity_types")?.map(ExactText.init)
        guard types?.contains(Self.federationEntity) != true else {
            throw FederationError(
                .malformed,
                "federation_entity is always allowed, and not to be named",
                path: ["allowed_entity_types"]
            )
        }
        allowedEntityTypes = types.map(Set.init)
    }
}
