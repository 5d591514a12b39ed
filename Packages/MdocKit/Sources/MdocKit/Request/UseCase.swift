package import CBORKit

/// A purpose of a request, and the sets of documents that serve it (ISO/IEC 18013-5 second edition, 10.2.6).
public struct UseCase: Hashable, Sendable {
    /// A code for the purpose, within the code list of a controller.
    public struct PurposeHint: Hashable, Sendable {
        /// The maintainer of the code list, such as `org.iso.jtc1.sc17`.
        public let controller: String
        /// The code; with `org.iso.jtc1.sc17` 1 is identity, 2 driving privilege, 3 age.
        public let code: Int64

        /// Names a purpose.
        public init(controller: String, code: Int64) {
            self.controller = controller
            self.code = code
        }
    }

    /// Indicates that no document at all may be returned where this purpose cannot be served.
    public let mandatory: Bool
    /// Sets of document requests by index from 0; a wallet answers exactly one set, the first that it can.
    public let documentSets: [[Int]]
    /// The purposes of the documents.
    public let purposeHints: [PurposeHint]

    /// Creates a use case.
    public init(mandatory: Bool, documentSets: [[Int]], purposeHints: [PurposeHint] = []) {
        self.mandatory = mandatory
        self.documentSets = documentSets
        self.purposeHints = purposeHints
    }
}

extension UseCase: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        mandatory = try cbor(map.required("mandatory").bool())
        documentSets = try Self.documentSets(try cbor(map.required("documentSets")), reading)
        guard let hints = map.value(forKey: "purposeHints") else {
            purposeHints = []
            return
        }
        try reading.check(try cbor(hints.map()).count, limit: reading.options.limits.elements, "hints", at: hints)
        var purposeHints: [PurposeHint] = []
        for (controller, code) in try cbor(hints.map()) {
            let hint = PurposeHint(controller: try cbor(controller.text()), code: try cbor(code.integer()))
            purposeHints.append(hint)
        }
        self.purposeHints = purposeHints
    }

    private static func documentSets(_ view: CBORView, _ reading: Reading) throws(MdocError) -> [[Int]] {
        let limit = reading.options.limits.documents
        try reading.check(try cbor(view.array()).count, limit: limit, "documentSets", at: view)
        guard try cbor(view.array()).count > 0 else {
            throw MdocError(.invalidValue, "a use case has at least one document set", at: view)
        }
        var sets: [[Int]] = []
        for set in try cbor(view.array()) {
            let indices = try cbor(set.array())
            try reading.check(indices.count, limit: limit, "documents of a set", at: set)
            guard indices.count > 0 else {
                throw MdocError(.invalidValue, "a document set has at least one document", at: set)
            }
            var members: [Int] = []
            for index in indices { members.append(Int(try cbor(index.integer(as: UInt32.self)))) }
            sets.append(members)
        }
        return sets
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: purposeHints.isEmpty ? 2 : 3)
        writer.write(text: "mandatory")
        writer.write(bool: mandatory)
        writer.write(text: "documentSets")
        writer.beginArray(count: documentSets.count)
        for set in documentSets {
            writer.beginArray(count: set.count)
            for index in set { writer.write(integer: index) }
        }
        guard !purposeHints.isEmpty else { return }
        writer.write(text: "purposeHints")
        writer.beginMap(count: purposeHints.count)
        for hint in purposeHints {
            writer.write(text: hint.controller)
            writer.write(integer: hint.code)
        }
    }
}
