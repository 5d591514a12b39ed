import JSONKit

/// A context as a table of term definitions.
struct ContextTable: Sendable {
    /// Indicates that the terms are protected (`@protected`).
    var isProtected = false
    /// Indicates that the context names its version (`@version`).
    var hasVersion = false
    /// The definitions.
    let rows: [TermRow]

    init(isProtected: Bool = false, hasVersion: Bool = false, _ rows: [TermRow]) {
        self.isProtected = isProtected
        self.hasVersion = hasVersion
        self.rows = rows
    }

    /// The context as the value of `@context`.
    var context: JSONValue {
        var members: [JSONObject.Member] = []
        if isProtected { members.append(("@protected", true)) }
        if hasVersion, let version = try? JSONNumber(1.1) { members.append(("@version", .number(version))) }
        for row in rows { members.append((row.name, row.definition)) }
        return .object(JSONObject(members))
    }
}

/// A vocabulary, by the IRI or by the prefix that a context writes before its names.
struct Namespace: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static let none = Namespace("")
    static let credentials = Namespace("https://www.w3.org/2018/credentials#")
    static let security = Namespace("https://w3id.org/security#")
    static let status = Namespace("https://www.w3.org/ns/credentials/status#")
    static let statusList = Namespace("https://w3id.org/vc/status-list#")
    static let schema = Namespace("https://schema.org/")
    static let insecureSchema = Namespace("http://schema.org/")
    static let jwt = Namespace("https://www.iana.org/assignments/jwt#")
    static let jose = Namespace("https://www.iana.org/assignments/jose#")
    static let did = Namespace("https://www.w3.org/ns/did#")
    static let activityStreams = Namespace("https://www.w3.org/ns/activitystreams#")
    static let dublinCore = Namespace("http://purl.org/dc/terms/")
    static let cred = Namespace("cred:")
    static let sec = Namespace("sec:")
    static let dc = Namespace("dc:")
}

/// The definition of one term in a ``ContextTable``.
struct TermRow: Sendable {
    /// The values of `@type` that the tables need.
    enum Coercion: String, Sendable {
        case id = "@id"
        case vocab = "@vocab"
        case json = "@json"
        case dateTime = "http://www.w3.org/2001/XMLSchema#dateTime"
        // The published contexts write these two with https.
        case integer = "https://www.w3.org/2001/XMLSchema#integer"
        case nonNegativeInteger = "https://www.w3.org/2001/XMLSchema#nonNegativeInteger"
        case multibase = "https://w3id.org/security#multibase"
        case cryptosuite = "https://w3id.org/security#cryptosuiteString"
        case sri = "https://www.w3.org/2018/credentials#sriString"
        case xsdDateTime = "xsd:dateTime"
        case xsdInteger = "xsd:integer"
    }

    /// The values of `@container` that the tables need.
    enum Container: String, Sendable {
        case set = "@set"
        case list = "@list"
        case graph = "@graph"
    }

    /// The context of a term.
    enum Scope: Sendable {
        case null
        /// Protected terms, with or without `@version`.
        case protected([TermRow], hasVersion: Bool = false)
    }

    let name: String
    let definition: JSONValue

    /// A term that stands for a name of a vocabulary, the same one unless said otherwise.
    static func term(_ name: String, _ namespace: Namespace, _ local: String? = nil) -> TermRow {
        TermRow(name: name, definition: .string(namespace.text + (local ?? name)))
    }

    /// A term with a definition that is an object.
    static func entry(
        _ name: String,
        _ namespace: Namespace,
        _ local: String? = nil,
        type: Coercion? = nil,
        container: Container? = nil,
        context: Scope? = nil
    ) -> TermRow {
        var members: [JSONObject.Member] = [("@id", .string(namespace.text + (local ?? name)))]
        if let type { members.append(("@type", .string(type.rawValue))) }
        if let container { members.append(("@container", .string(container.rawValue))) }
        switch context {
        case .null?: members.append(("@context", .null))
        case .protected(let rows, let hasVersion)?:
            let table = ContextTable(isProtected: true, hasVersion: hasVersion, rows)
            members.append(("@context", table.context))
        case nil: break
        }
        return TermRow(name: name, definition: .object(JSONObject(members)))
    }

    /// The alias of the keyword `@id`.
    static let id = TermRow(name: "id", definition: "@id")
    /// The alias of the keyword `@type`.
    static let type = TermRow(name: "type", definition: "@type")
}
