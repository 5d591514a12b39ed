import JSONKit
import VerificationCore

/// The node of a credential or presentation in its expanded form.
///
/// The node is the document itself: nodes below it, and those of graphs that it contains, such as the credentials of a
/// presentation, are never taken for it.
struct ExpandedNode {
    private let node: JSONObject

    /// The only node at the top of a document.
    ///
    /// - Throws: ``LinkedDataError/Code/invalidCredential`` for a document that expands to none or to several, or to a
    ///   graph.
    init(_ document: ExpandedDocument) throws(LinkedDataError) {
        let nodes = document.value.arrayValue ?? []
        guard nodes.count == 1, let node = nodes[0].objectValue, !node.contains("@graph") else {
            throw LinkedDataError(.invalidCredential, "the document is not exactly one node")
        }
        self.node = node
    }

    /// The types, as IRIs.
    var types: [ExactText] {
        (node["@type"]?.arrayValue ?? []).compactMap { $0.stringValue.map { ExactText($0) } }
    }

    /// The identifier, or nil.
    var id: ExactText? { node["@id"]?.stringValue.map { ExactText($0) } }

    /// The identifiers of the nodes that a property leads to.
    func ids(of property: ExactText) -> [ExactText?] {
        values(of: property, in: node).map { $0["@id"]?.stringValue.map { ExactText($0) } }
    }

    /// The number of values of a property, graphs among them.
    func count(of property: ExactText) -> Int { node[property.text]?.arrayValue?.count ?? 0 }

    /// The values that a path of properties leads to, without entering graphs.
    func values(at path: [ExactText]) -> [JSONValue] {
        var values: [JSONValue] = [.object(node)]
        for property in path {
            values = values.flatMap { value in value.objectValue.map { self.values(of: property, in: $0) } ?? [] }
        }
        return values
    }

    /// The keyword by which the document describes a node outside of the object that readers of its JSON look at, or nil.
    ///
    /// A holder can write a signed graph down in another way: below `@included` or `@reverse`, or in a further object with
    /// the same name. The signature holds, and the statement is missing where it stood. Named graphs are not entered: a
    /// statement cannot be moved into one.
    ///
    /// - Parameter names: The nodes that are described in one place; others may be described in several.
    func displacement(of names: Set<ExactText>) -> String? {
        var described: Set<ExactText> = []
        var pending: [JSONValue] = [.object(node)]
        while let value = pending.popLast() {
            if let elements = value.arrayValue {
                pending += elements
                continue
            }
            guard let object = value.objectValue, !object.contains("@value") else { continue }
            if object.contains("@included") { return "@included" }
            if object.contains("@reverse") { return "@reverse" }
            if object.count > 1, let name = object["@id"]?.stringValue.map({ ExactText($0) }), names.contains(name),
                !described.insert(name).inserted
            {
                return "@id"
            }
            for (name, value) in object where name != "@graph" { pending.append(value) }
        }
        return nil
    }

    /// The values of a property, those of its lists and sets one by one, and without graphs.
    private func values(of property: ExactText, in object: JSONObject) -> [JSONValue] {
        (object[property.text]?.arrayValue ?? []).flatMap { value in
            value["@list"]?.arrayValue ?? value["@set"]?.arrayValue ?? [value]
        }
        .filter { $0["@graph"] == nil }
    }
}

/// The IRIs of the credentials vocabulary.
enum CredentialsVocabulary {
    private static let base = "https://www.w3.org/2018/credentials#"

    static let credential = ExactText(base + "VerifiableCredential")
    static let presentation = ExactText(base + "VerifiablePresentation")
    static let issuer = ExactText(base + "issuer")
    static let holder = ExactText(base + "holder")
    static let subject = ExactText(base + "credentialSubject")
    static let status = ExactText(base + "credentialStatus")
    static let credentials = ExactText(base + "verifiableCredential")

    /// The property of a member that has the name of its term.
    static func property(_ member: String) -> ExactText { ExactText(base + member) }
}
