//go:build !purego

#include "textflag.h"

// TALLY adds to the bytes of SUM how many of those in Y0 and Y1 equal those of Y: a comparison gives -1.
#define TALLY(Y, SUM) \
	VPCMPEQB Y0, Y, Y12     \
	VPCMPEQB Y1, Y, Y13     \
	VPSUBB   Y12, SUM, SUM  \
	VPSUBB   Y13, SUM, SUM

// TOTAL adds the bytes of SUM to a number of out.
#define TOTAL(SUM, X, OUT) \
	VPSADBW      Y15, SUM, SUM  \
	VEXTRACTI128 $1, SUM, X12   \
	VPADDQ       X12, X, X      \
	VPSHUFD      $0x4e, X, X12  \
	VPADDQ       X12, X, X      \
	VMOVQ        X, AX          \
	ADDQ         AX, OUT(DI)

// func tallyAVX2(text *byte, words int, out *tally)
TEXT ·tallyAVX2(SB), NOSPLIT, $0-24
	MOVQ         text+0(FP), SI
	MOVQ         words+8(FP), CX
	MOVQ         out+16(FP), DI
	MOVQ         $'"', AX
	VMOVQ        AX, X2
	VPBROADCASTB X2, Y2
	MOVQ         $'\n', AX
	VMOVQ        AX, X3
	VPBROADCASTB X3, Y3
	MOVQ         $'\r', AX
	VMOVQ        AX, X4
	VPBROADCASTB X4, Y4
	VPXOR        Y15, Y15, Y15
	VPXOR        Y6, Y6, Y6
	VPXOR        Y7, Y7, Y7
	VPXOR        Y8, Y8, Y8
	VPXOR        Y9, Y9, Y9
	VPXOR        Y10, Y10, Y10
	TESTQ        CX, CX
	JZ           total

next:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	TALLY(Y2, Y6)
	TALLY(Y3, Y7)
	TALLY(Y4, Y8)
	TALLY(Y15, Y9)
	VPOR    Y0, Y10, Y10
	VPOR    Y1, Y10, Y10
	ADDQ    $64, SI
	DECQ    CX
	JNZ     next

total:
	TOTAL(Y6, X6, 0)
	TOTAL(Y7, X7, 8)
	TOTAL(Y8, X8, 16)
	TOTAL(Y9, X9, 24)
	VPMOVMSKB Y10, AX
	ORQ       AX, 32(DI)
	VZEROUPPER
	RET
