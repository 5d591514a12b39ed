public import JSONKit

/// The presentations of a response: `vp_token`, with `presentation_submission` where a presentation definition is answered
/// (section 8.1; Presentation Exchange 2, section 6).
///
/// Nothing in it is verified.
public enum VPToken: Sendable {
    /// The answer to a DCQL query, in the order of its queries.
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
    public var parameters: JSONObject {
        switch self {
        case .queries(let answers):
            let members = answers.map { (name: $0.query.text, value: JSONValue.array($0.presentations)) }
            return ["vp_token": .object(JSONObject(members))]
        case .definition(let presentations, let submission):
            let token = presentations.count == 1 ? presentations[0] : .array(presentations)
            return ["vp_token": token, "presentation_submission": submission.json]
        }
    }
}
