public import Foundation
public import Testing

/// One file of a ``VectorSet``; as a test argument it appears under its path.
public struct VectorFile: Sendable, CustomTestStringConvertible {
    /// The set it belongs to.
    public let set: VectorSet
    /// Its path below the set's folder.
    public let path: String
    /// The location of the file.
    public let url: URL

    /// The path, so that a failing test names the file.
    public var testDescription: String { "\(set.name)/\(path)" }

    /// The file's content.
    public func bytes() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: url))
    }

    /// The file's content as a value of a `Decodable` model.
    public func decode<Model: Decodable>(_ model: Model.Type = Model.self) throws -> Model {
        try JSONDecoder().decode(model, from: Data(contentsOf: url))
    }

    /// Prints how many cases of this file ran and how many were skipped, with the reason for those.
    public func report(ran: Int, passedOver: [(name: String, reason: String)] = []) {
        var line = "vectors: \(testDescription): \(ran) ran"
        if !passedOver.isEmpty { line += ", \(passedOver.count) passed over" }
        print(line)
        for (name, reason) in passedOver { print("vectors:   passed over \(name): \(reason)") }
    }
}
