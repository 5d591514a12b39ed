import CryptoCore
import TestSupport
import Testing

@Suite struct PEMTests {
    @Test(arguments: [0, 1, 2, 3, 47, 48, 49, 96, 300])
    func roundTrip(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let pem = PEM(label: "PUBLIC KEY", bytes: bytes)
        let read = try PEM(pem.text)
        #expect(read == pem)
        #expect(pem.text.split(separator: "\n").allSatisfy { $0.count <= 64 })
    }

    @Test func findsSeveralBetweenOtherText() throws {
        let first = PEM(label: "A", bytes: [1, 2, 3])
        let second = PEM(label: "B C", bytes: [4])
        let text = "Subject: someone\n" + first.text + "in between\r\n" + second.text + "after"
        #expect(try PEM.all(in: text) == [first, second])
        #expect(throws: CryptoError.self) { try PEM(text) }
    }

    @Test func carriageReturnsAndTrailingBlanksAreAccepted() throws {
        let read = try PEM("-----BEGIN X-----\r\nAQ \r\nID\t\r\n-----END X-----  \r\n")
        #expect(read == PEM(label: "X", bytes: [1, 2, 3]))
    }

    @Test(arguments: [
        "",
        "no structure at all",
        "-----BEGIN X-----\nAQID\n",
        "-----BEGIN X-----\nAQID\n-----END Y-----\n",
        "-----BEGIN X-----\nAQI\n-----END X-----\n",
        "-----BEGIN X-----\nA\n-----END X-----\n",
        "-----BEGIN X-----\nAQ=\n-----END X-----\n",
        "-----BEGIN X-----\nAR==\n-----END X-----\n",
        "-----BEGIN X-----\nAQJ=\n-----END X-----\n",
        "-----BEGIN X-----\nAQ==AQID\n-----END X-----\n",
        "-----BEGIN X-----\nAQID====\n-----END X-----\n",
        "-----BEGIN X-----\nAQ_-\n-----END X-----\n",
        "-----BEGIN X-----\nProc-Type: 4,ENCRYPTED\n\nAQID\n-----END X-----\n",
        "-----BEGIN X-----\n-----BEGIN X-----\nAQID\n-----END X-----\n",
    ])
    func refuses(text: String) {
        let error = #expect(throws: CryptoError.self) { try PEM(text) }
        #expect(error?.code == .invalidPEM)
    }
}
