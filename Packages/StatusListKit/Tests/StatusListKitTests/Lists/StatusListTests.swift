import Foundation
import StatusListKit
import TestSupport
import Testing

@Suite struct StatusListTests {
    /// Token Status List, section 4.1: both examples.
    @Test func packsAsTheSpecificationDraws() throws {
        let oneBit: [StatusType] = [1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1]
        #expect(try list(oneBit, .one).bytes == [0xb9, 0xa3])
        #expect(try list(oneBit, .one) == decompressed("78dadbb918000217015d", .one))
        let twoBits: [StatusType] = [1, 2, 0, 3, 0, 1, 0, 1, 1, 2, 3, 3]
        #expect(try list(twoBits, .two).bytes == [0xc9, 0x44, 0xf9])
        #expect(try list(twoBits, .two) == decompressed("78da3be9f2130003df0207", .two))
    }

    private func decompressed(_ hex: String, _ bits: StatusList.Bits) throws -> StatusList {
        try StatusList(decompressing: #require([UInt8](hex: hex))[...], bits: bits)
    }

    private func list(_ statuses: [StatusType], _ bits: StatusList.Bits) throws -> StatusList {
        var list = try StatusList(count: statuses.count, bits: bits)
        for (index, status) in statuses.enumerated() { try list.set(status, at: index) }
        for (index, status) in statuses.enumerated() { #expect(try list.status(at: index) == status) }
        return list
    }

    @Test(arguments: StatusList.Bits.allCases)
    func everyEntryIsItsOwn(bits: StatusList.Bits) throws {
        var generator = RepeatableRandomNumberGenerator(seed: 7)
        var list = try StatusList(count: 257, bits: bits)
        var expected = [UInt8](repeating: 0, count: list.count)
        for _ in 0..<2000 {
            let index = Int.random(in: 0..<list.count, using: &generator)
            expected[index] = UInt8.random(in: 0...bits.largestStatus.rawValue, using: &generator)
            try list.set(StatusType(rawValue: expected[index]), at: index)
        }
        for index in 0..<list.count { #expect(try list.status(at: index).rawValue == expected[index]) }
        let again = try StatusList(decompressing: list.compressed()[...], bits: bits)
        #expect(again == list)
    }

    @Test(arguments: [(0, 0), (1, 8), (8, 8), (9, 16), (1_000_000, 1_000_000)])
    func entriesFillTheLastByte(count: Int, entries: Int) throws {
        #expect(try StatusList(count: count, bits: .one).count == entries)
        #expect(try StatusList(count: count, bits: .eight).count == count)
    }

    @Test(arguments: StatusList.Bits.allCases)
    func refusesWhatDoesNotFit(bits: StatusList.Bits) throws {
        var list = try StatusList(count: 8, bits: bits)
        for index in [8, -1, .max, .min] {
            expectRefusal(.indexOutOfRange) { try list.status(at: index) }
            expectRefusal(.indexOutOfRange) { try list.set(.invalid, at: index) }
        }
        try list.set(bits.largestStatus, at: 7)
        guard bits != .eight else { return }
        expectRefusal(.statusTooLarge) { try list.set(StatusType(rawValue: bits.largestStatus.rawValue + 1), at: 7) }
        #expect(try list.status(at: 7) == bits.largestStatus)
    }

    @Test func refusesSizesThatNoListHas() {
        for count in [-1, .min, .max] {
            expectRefusal(.limitExceeded) { try StatusList(count: count, bits: .one) }
            expectRefusal(.limitExceeded) { try StatusList(count: count, bits: .eight) }
        }
    }

    @Test func statusesHaveNames() {
        #expect(StatusType.valid.description == "VALID")
        #expect(StatusType.invalid.description == "INVALID")
        #expect(StatusType.suspended.description == "SUSPENDED")
        #expect(StatusType(rawValue: 0x0b).description == "0x0b")
        #expect(StatusType(rawValue: 0xff).description == "0xff")
    }

    @Test func statusesFollowTheRegistry() {
        func status(_ number: UInt8) -> CredentialStatus {
            CredentialStatus(StatusType(rawValue: number), asOf: Date(timeIntervalSince1970: 7))
        }
        #expect(status(0) == .valid(asOf: Date(timeIntervalSince1970: 7)))
        #expect(status(1) == .revoked)
        #expect(status(2) == .suspended)
        for number: UInt8 in [0x03, 0x0c, 0x0d, 0x0e, 0x0f] {
            #expect(status(number) == .application(UInt64(number)))
        }
        for number: UInt8 in Array(0x04...0x0b) + Array(0x10...0xff) {
            #expect(status(number).reason == "reservedStatus")
        }
        #expect(status(0).reason == nil)
    }
}
