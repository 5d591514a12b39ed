public import JSONKit

/// The place of the answer to each descriptor in a `vp_token` (Presentation Exchange 2, section 6).
public struct PresentationSubmission: Sendable {
    /// The place of one answer.
    public struct Entry: Hashable, Sendable {
        /// The descriptor.
        public let descriptor: QueryID
        /// The format of the value at the path.
        public let format: String
        /// The path: in the `vp_token`, or for a nested place in the value around it.
        public let path: String
        /// The places inside it, from the outside to the credential; each a format and a path.
        public let nested: [Place]

        /// Describes a place.
        public init(descriptor: QueryID, format: String, path: String, nested: [Place] = []) {
            self.descriptor = descriptor
            self.format = format
            self.path = path
            self.nested = nested
        }
    }

    /// A place inside of another one.
    public struct Place: Hashable, Sendable {
        /// The format of the value at the path.
        public let format: String
        /// The path in the value around it.
        public let path: String

        /// Describes a place.
        public init(format: String, path: String) {
            self.format = format
            self.path = path
        }
    }

    /// The name of the submission.
    public let id: String
    /// The definition that it answers.
    public let definition: String
    /// The places, in the order of the map.
    public let entries: [Entry]

    /// The depth of nested places that are read.
    static let maximumDepth = 4

    /// Describes a submission.
    public init(id: String, definition: String, entries: [Entry]) {
        self.id = id
        self.definition = definition
        self.entries = entries
    }

    /// Reads a submission as received; unknown members are ignored.
    ///
    /// - Throws: ``OID4VPError/Code/malformed``, ``OID4VPError/Code/limitExceeded``.
    public init(
        json: JSONValue,
        limits: PresentationDefinitionLimits = .default
    ) throws(OID4VPError) {
        let reader = try MemberReader(json, .malformed, at: ["presentation_submission"])
        id = try reader.requiredText("id")
        definition = try reader.requiredText("definition_id")
        var entries: [Entry] = []
        for (place, value) in try reader.requiredElements("descriptor_map", atMost: limits.descriptors).enumerated() {
            entries.append(try Entry(json: value, at: reader.path("descriptor_map[\(place)]")))
        }
        self.entries = entries
    }

    /// The submission for the parameter `presentation_submission`.
    public var json: JSONValue {
        [
            "id": .string(id), "definition_id": .string(definition), "descriptor_map": .array(entries.map(\.json)),
        ]
    }
}

extension PresentationSubmission.Entry {
    fileprivate init(json: JSONValue, at path: [String]) throws(OID4VPError) {
        var reader = try MemberReader(json, .malformed, at: path)
        let id = try reader.requiredText("id")
        let format = try reader.requiredText("format")
        let place = try reader.requiredText("path")
        var nested: [PresentationSubmission.Place] = []
        while let value = reader["path_nested"] {
            guard nested.count < PresentationSubmission.maximumDepth else {
                throw OID4VPError(.limitExceeded, "places are nested too deep", path: path)
            }
            reader = try MemberReader(value, .malformed, at: reader.path("path_nested"))
            if let inner = try reader.text("id"), !inner.hasSameBytes(as: id) {
                throw reader.invalid("id", "it is not that of the descriptor")
            }
            nested.append(
                PresentationSubmission.Place(
                    format: try reader.requiredText("format"),
                    path: try reader.requiredText("path")
                )
            )
        }
        self.init(descriptor: QueryID(id), format: format, path: place, nested: nested)
    }

    fileprivate var json: JSONValue {
        var inner: JSONObject?
        for place in nested.reversed() {
            var members: JSONObject = [
                "id": .string(descriptor.text), "format": .string(place.format), "path": .string(place.path),
            ]
            if let inner { members["path_nested"] = .object(inner) }
            inner = members
        }
        var members: JSONObject = [
            "id": .string(descriptor.text), "format": .string(format), "path": .string(path),
        ]
        if let inner { members["path_nested"] = .object(inner) }
        return .object(members)
    }
}
