import MdocKit
import MdocProximity

extension FuzzTarget {
    /// The parsers of MdocKit.
    package static let mdoc = [
        FuzzTarget(name: "mdoc-response") { bytes in
            let response = try DeviceResponse(decoding: bytes, options: .deployed)
            require(response.encodedBytes == bytes[...], "the received bytes are kept")
        },
        FuzzTarget(name: "mdoc-request") { bytes in
            let request = try DeviceRequest(decoding: bytes, options: .deployed)
            require(request.encodedBytes == bytes[...], "the received bytes are kept")
        },
        FuzzTarget(name: "mdoc-issuer-signed") { bytes in
            let credential = try IssuerSigned(decoding: bytes, options: .deployed)
            let limited = try credential.limitDisclosures { _ in false }
            require(limited.nameSpaces.isEmpty, "nothing is shown that was not chosen")
        },
        FuzzTarget(name: "mdoc-engagement") { bytes in
            let engagement = try DeviceEngagement(decoding: bytes, options: .deployed)
            let again = try DeviceEngagement(uri: engagement.uri, options: .deployed)
            require(again.encodedBytes == engagement.encodedBytes, "a URI keeps every byte")
        },
        FuzzTarget(name: "mdoc-transcript") { bytes in
            let transcript = try SessionTranscript(decoding: bytes, options: .deployed)
            let again = try SessionTranscript(decoding: transcript.taggedBytes, options: .deployed)
            require(again.encodedBytes == transcript.encodedBytes, "the received bytes are kept")
        },
        FuzzTarget(name: "mdoc-session-establishment") { bytes in
            let message = try SessionEstablishment(decoding: bytes, options: .deployed)
            require(message.encodedBytes == bytes[...], "the received bytes are kept")
        },
        FuzzTarget(name: "mdoc-session-data") { bytes in
            let message = try SessionData(decoding: bytes, options: .deployed)
            require(
                try SessionData(decoding: message.encoded()).encoded() == message.encoded(),
                "what is written reads back"
            )
        },
    ]
}
