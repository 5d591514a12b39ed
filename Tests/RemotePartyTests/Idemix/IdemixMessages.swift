import IdemixCore
import JSONKit

/// A message between two parties in JSON, read back before it is used.
protocol IdemixMessage: Codable {}

extension IdemixMessage {
    /// Reads a received message.
    init(received bytes: [UInt8]) throws {
        self = try StrictJSONDecoder().decode(Self.self, from: bytes)
    }

    /// The bytes to send.
    func sent() throws -> [UInt8] { try StrictJSONEncoder().encode(self) }
}

/// A holder's message for the issuance of credentials.
struct CommitmentsMessage: IdemixMessage {
    let combinedProofs: IdemixProofList
    let n_2: BigInteger
}

/// A message that a party does not accept.
struct RefusedMessage: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
