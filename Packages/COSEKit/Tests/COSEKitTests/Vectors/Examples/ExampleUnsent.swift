import COSEKit
import TestSupport

extension ExampleFile {
    /// The shared knowledge that is not in the message.
    struct Unsent: Decodable {
        private let members: [String: String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            var members: [String: String] = [:]
            for key in container.allKeys {
                members[key.stringValue] = try? container.decode(String.self, forKey: key)
            }
            self.members = members
        }

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        /// The algorithm, for an abbreviated countersignature.
        var algorithm: String? { members["alg"] }

        /// The whole nonce, of which a message has the changing part.
        var iv: [UInt8]? { bytes("IV") }

        private func bytes(_ name: String) -> [UInt8]? {
            members[name + "_hex"].flatMap { [UInt8](hex: $0) } ?? members[name].map { Array($0.utf8) }
        }

        private func party(_ prefix: String) -> COSEPartyInfo {
            COSEPartyInfo(
                identity: bytes(prefix + "_id"),
                nonce: bytes(prefix + "_nonce").map { .bytes($0) },
                other: bytes(prefix + "_other")
            )
        }

        var context: COSEKeyDerivationContext {
            COSEKeyDerivationContext(
                partyU: party("apu"),
                partyV: party("apv"),
                suppPubOther: bytes("pub_other"),
                suppPrivInfo: bytes("priv_other"),
                salt: bytes("salt")
            )
        }
    }
}
