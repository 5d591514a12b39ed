public import JSONKit

/// The presentations of a response: `vp_token`, with `presentation_submission` where a presentation definition is answered
/// (section 8.1; Presentation Exchange 2, section 6).
///
/// Nothing in it is verified.
///
/// ```swift
/// var deviations: [Deviation] = []
/// let token = try VPToken(response, answering: query, deviations: &deviations)
/// if case .queries(let answers) = token {
///     for answer in answers { print(answer.query, answer.presentations) }
/// }
/// ```
public enum VPToken: Sendable {
    /// The answer to a DCQL query, in the order of the response.
    case queries([Answer])
    /// The answer to a presentation definition; the submission says which presentation answers which descriptor.
    case definition(presentations: [JSONValue], submission: PresentationSubmission)

    /// The presentations that answer one query.
    public struct Answer: Hashable, Sendable {
        /// The query.
        public let query: QueryID
        /// The presentations: a text, or the object of a linked-data presentation.
        public let presentations: [JSONValue]

        /// Takes the presentations for a query.
        public init(query: QueryID, presentations: [JSONValue]) {
            self.query = query
            self.presentations = presentations
        }
    }
}

extension VPToken {
    /// The parameters for the response, as JSON values.
    ///
    /// Each query has an array of presentations, as drafts since 25 and 1.0 have it. A presentation definition is answered
    /// by a presentation, or by an array of several.
    public var parameters: JSONObject {
        switch self {
        case .queries(let answers):
            var token = JSONObject()
            for answer in answers {
                let others = token[answer.query.text]?.arrayValue ?? []
                token[answer.query.text] = .array(others + answer.presentations)
            }
            return ["vp_token": .object(token)]
        case .definition(let presentations, let submission):
            let token = presentations.count == 1 ? presentations[0] : .array(presentations)
            return ["vp_token": token, "presentation_submission": submission.json]
        }
    }

    /// The parameters for the response to a verifier of drafts 22 to 24, where the only presentation for a query stands without an
    /// array.
    package var draftParameters: JSONObject {
        guard case .queries = self, let token = parameters["vp_token"]?.objectValue else { return parameters }
        let members = token.map { name, value in
            (name: name, value: value.arrayValue?.count == 1 ? value[0] ?? value : value)
        }
        return ["vp_token": .object(JSONObject(members))]
    }

    /// All presentations, in the order of the response.
    public var presentations: [JSONValue] {
        switch self {
        case .queries(let answers): answers.flatMap(\.presentations)
        case .definition(let presentations, _): presentations
        }
    }

    /// The presentation that a place of the submission names, or nil.
    ///
    /// A path is `$` for the only presentation, and `$[0]`, `$[1]` … where there are several; each is read for the other
    /// where there is one presentation, and ``init(_:answering:options:deviations:)-(_,PresentationDefinition,_,_)`` refuses
    /// or reports that.
    public func presentation(at entry: PresentationSubmission.Entry) -> JSONValue? {
        guard case .definition(let presentations, _) = self, let index = Self.index(entry.path),
            presentations.indices.contains(index)
        else { return nil }
        return entry.path == "$" && presentations.count > 1 ? nil : presentations[index]
    }

    /// The index of a path into the token: 0 for `$`; nil for another path than `$` and `$[n]`.
    static func index(_ path: String) -> Int? {
        if path == "$" { return 0 }
        guard path.hasPrefix("$["), path.hasSuffix("]") else { return nil }
        let digits = path.dropFirst(2).dropLast()
        guard digits.utf8.count <= 4, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        return Int(digits)
    }
}

extension VPToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of the query and the number of presentations, without those.
    public var description: String {
        switch self {
        case .queries(let answers): "VP token (queries: \(answers.count), presentations: \(presentations.count))"
        case .definition: "VP token (definition, presentations: \(presentations.count))"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension VPToken.Answer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of presentations, without those.
    public var description: String { "answer (presentations: \(presentations.count))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
