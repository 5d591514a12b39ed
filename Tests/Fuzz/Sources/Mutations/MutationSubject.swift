import FuzzTargets
import JSONKit
import TestSupport

/// A file whose inputs are damaged.
struct MutationSubject: Sendable {
    let name: String
    let inputs: [MutationInput]

    /// The bytes that stand in a JSON file in hexadecimal, and its texts that one of the parsers reads.
    init?(valuesOf document: JSONDocument, name: String, targets: [FuzzTarget]) {
        let texts = Self.parts(of: document.root).compactMap { try? $0.string() }
        let inputs = Set(texts).sorted().compactMap { text -> MutationInput? in
            if text.utf8.count > 1, let bytes = [UInt8](hex: text) { return MutationInput(bytes, among: targets) }
            let bytes = Array(text.utf8)
            return targets.contains { $0.reads(bytes) } ? MutationInput(bytes, among: targets) : nil
        }
        guard !inputs.isEmpty else { return nil }
        (self.name, self.inputs) = (name, inputs)
    }

    /// The objects of a JSON file that one of the parsers reads.
    init?(objectsOf document: JSONDocument, name: String, targets: [FuzzTarget]) {
        let objects = Self.parts(of: document.root).filter { (try? $0.object()) != nil }.map { Array($0.bytes) }
        let read = objects.filter { object in targets.contains { $0.reads(object) } }
        guard !read.isEmpty else { return nil }
        self.init(read, name: "\(name), objects", targets: targets)
    }

    /// The JSON file itself, value by value: those of moderate size.
    init(textOf document: JSONDocument, name: String) {
        let parts = Self.parts(of: document.root).map { Array($0.bytes) }.filter { (2...2000).contains($0.count) }
        self.name = "\(name) as JSON"
        inputs = parts.prefix(200).map { MutationInput($0, among: FuzzTarget.json) }
    }

    /// A file that is one input.
    init(_ bytes: [UInt8], name: String, targets: [FuzzTarget]) {
        self.init([bytes], name: name, targets: targets)
    }

    /// Files of one kind, each of which is an input.
    init(_ files: [[UInt8]], name: String, targets: [FuzzTarget]) {
        self.name = name
        inputs = files.map { MutationInput($0, among: targets) }
    }

    private static func parts(of root: JSONView) -> [JSONView] {
        var found: [JSONView] = []
        var pending = [root]
        while let view = pending.popLast() {
            found.append(view)
            if let elements = try? view.array() {
                pending += elements
            } else if let members = try? view.object() {
                pending += members.map(\.value)
            }
        }
        return found
    }
}
