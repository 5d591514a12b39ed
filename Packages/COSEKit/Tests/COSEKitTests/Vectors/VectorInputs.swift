import TestSupport

/// The encoded structures of a file of the set, whatever its form.
struct VectorInputs: Decodable {
    let inputs: [[UInt8]]

    private struct Output: Decodable {
        let cbor: HexBytes
    }

    private struct Case: Decodable {
        let message: HexBytes?
        let key: HexBytes?

        enum CodingKeys: String, CodingKey {
            case message = "cose_hex"
            case key = "cose_key_hex"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case output
        case tests
    }

    init(_ file: VectorFile) throws {
        self = try file.decode()
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let output = try container.decodeIfPresent(Output.self, forKey: .output) {
            inputs = [output.cbor.bytes]
        } else {
            inputs = try container.decode([Case].self, forKey: .tests).compactMap { ($0.message ?? $0.key)?.bytes }
        }
    }
}
