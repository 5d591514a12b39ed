import TestSupport

/// A file of cose-wg/Examples: how a message was made, what its maker computed on the way, and the message.
struct ExampleFile: Decodable {
    let title: String
    let fail: Bool?
    let input: Input
    let intermediates: Intermediates
    let output: Output

    struct Output: Decodable {
        let cbor: HexBytes
    }

    struct Input: Decodable {
        let plaintext: String?
        let plaintextHex: HexBytes?
        let sign: Layer?
        let sign0: Layer?
        let mac: Layer?
        let mac0: Layer?
        let encrypted: Layer?
        let enveloped: Layer?

        enum CodingKeys: String, CodingKey {
            case plaintext
            case plaintextHex = "plaintext_hex"
            case sign
            case sign0
            case mac
            case mac0
            case encrypted
            case enveloped
        }

        var content: [UInt8] { plaintextHex?.bytes ?? Array((plaintext ?? "").utf8) }

        /// The outermost layer, whichever message it is of.
        var layer: Layer? { sign ?? sign0 ?? mac ?? mac0 ?? encrypted ?? enveloped }
    }

    /// A message, a signer, a recipient or a countersigner.
    struct Layer: Decodable {
        let key: ExampleKey?
        let senderKey: ExampleKey?
        let external: HexBytes?
        let protected: Protected?
        let unsent: Unsent?
        let signers: [Layer]?
        let recipients: [Layer]?
        let countersign: Countersigners?
        let countersign0: Countersigners?

        enum CodingKeys: String, CodingKey {
            case key
            case senderKey = "sender_key"
            case external
            case protected
            case unsent
            case signers
            case recipients
            case countersign
            case countersign0
        }

        /// The layer and those within, outermost first.
        var withInnerLayers: [Layer] {
            let inner = (signers ?? []) + (recipients ?? [])
            return [self] + inner.flatMap(\.withInnerLayers)
        }
    }

    struct Countersigners: Decodable {
        let signers: [Layer]
    }

    /// The part of the protected bucket that decides how to read the message.
    struct Protected: Decodable {
        let crit: [String]?
    }

    struct Intermediates: Decodable {
        let toBeSigned: HexBytes?
        let toBeMaced: HexBytes?
        let aad: HexBytes?
        let signers: [Intermediates]?
        let recipients: [Intermediates]?
        let countersigners: [Intermediates]?
        let countersign0: [Intermediates]?

        enum CodingKeys: String, CodingKey {
            case toBeSigned = "ToBeSign_hex"
            case toBeMaced = "ToMac_hex"
            case aad = "AAD_hex"
            case signers
            case recipients
            case countersigners
            case countersign0
        }
    }
}

extension ExampleFile {
    /// The reason that the file cannot be run to its end, or nil.
    var reasonToPassOver: String? {
        let usesHashBasedKey = input.layer?.withInnerLayers.contains { $0.key?.type == "HSS-LMS" } ?? false
        return usesHashBasedKey ? "HSS-LMS (RFC 8778) is refused by name" : nil
    }
}
